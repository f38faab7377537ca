#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>
#include <ranges>
#include <string>
#include <utility>

// Qt looks every 50 ms whether what a test waits for is there, which it mostly is after two.
#if QT_VERSION < QT_VERSION_CHECK(6, 5, 0)
#undef QTRY_IMPL
#define QTRY_IMPL(expr, timeout)                                                                             \
    const int qt_test_step = 2;                                                                              \
    const int qt_test_timeoutValue = timeout;                                                                \
    {QTRY_LOOP_IMPL(expr, qt_test_timeoutValue, qt_test_step)} QTRY_TIMEOUT_DEBUG_IMPL(                      \
        expr, qt_test_timeoutValue, qt_test_step)
#endif

/// The tests of a folder are one program (test_main.cpp): each file's stand in it under the file's name.
namespace headscope::tests {

using RunTest = int (*)(int argc, char** argv);

inline std::map<std::string, RunTest>& registeredTests() {
    static std::map<std::string, RunTest> tests;
    return tests;
}

struct RegisteredTest {
    RegisteredTest(const char* file, RunTest run) {
        registeredTests().emplace(std::filesystem::path(file).stem(), run);
    }
};

template <class Test>
int runTest(int argc, char** argv) {
    QTest::Internal::callInitMain<Test>();
    Test test;
    return QTest::qExec(&test, argc, argv);
}

template <class Application, class Test>
int runTestIn(int argc, char** argv) {
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    const QTemporaryDir settings; // of this test alone
    QCoreApplication::setOrganizationName("headscope-test");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    Application application(argc, argv);
    const int result = runTest<Test>(argc, argv);
    if constexpr (requires { application.verdict(result); })
        return application.verdict(result);
    else
        return result;
}

/// What a loop of a test runs over. Nothing would be compared where it is empty, so the test fails there.
template <class Range>
Range some(Range&& range, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    QTest::qVerify(!std::ranges::empty(range), "!empty", "nothing is compared here", file, line);
    return std::forward<Range>(range);
}

} // namespace headscope::tests

/// In place of QTEST_APPLESS_MAIN: without an application.
#define HEADSCOPE_TEST(Test)                                                                                 \
    static const headscope::tests::RegisteredTest registered##Test(__FILE__, headscope::tests::runTest<Test>);
/// In place of QTEST_MAIN and QTEST_GUILESS_MAIN: within an application of this class.
#define HEADSCOPE_TEST_IN(Application, Test)                                                                 \
    static const headscope::tests::RegisteredTest registered##Test(                                          \
        __FILE__, headscope::tests::runTestIn<Application, Test>);
