"""Makes the wheel that pip installs (PEP 517): an archive of the package and three files about it."""

import base64
import hashlib
import re
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
METADATA = """Metadata-Version: 2.1
Name: headscope
Version: {version}
Summary: Writes recordings of transformers for Headscope, which shows their attention
Requires-Python: >=3.8
Requires-Dist: numpy
License: see LICENSE of Headscope
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    modules = sorted((ROOT / "headscope").glob("*.py"))
    version = re.search(r'__version__ = "(.*)"', (ROOT / "headscope/__init__.py").read_text())[1]
    about = f"headscope-{version}.dist-info"
    files = {f"headscope/{path.name}": path.read_bytes() for path in modules}
    files[f"{about}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{about}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: headscope\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = [f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items()]
    files[f"{about}/RECORD"] = "".join([*record, f"{about}/RECORD,,\n"]).encode()
    name = f"headscope-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name
