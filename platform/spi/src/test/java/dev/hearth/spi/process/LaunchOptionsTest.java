package dev.hearth.spi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchOptionsTest {
    private static final String EXTRA = "spark.executor.extraJavaOptions";

    @Test
    void changesNothingByDefault() {
        assertEquals(LaunchOptions.NONE, LaunchOptions.ofExecutors(Settings.empty()));
        assertEquals(LaunchOptions.NONE, LaunchOptions.ofDriver(Settings.empty()));
    }

    @Test
    void readsWhatAnApplicationGivesToItsExecutors() {
        LaunchOptions options = LaunchOptions.ofExecutors(Settings.empty()
                        .with(
                                "test",
                                Map.of(
                                        "spark.executor.defaultJavaOptions",
                                        "-Da=1 -Db='two words'",
                                        EXTRA,
                                        "\"-Dc=it's\" -Xss2m  -Dlog={{APP_ID}}/{{EXECUTOR_ID}}-{{EXECUTOR_ID}}.log -De=\"\" \\-Df=\\ g",
                                        "spark.executor.extraLibraryPath",
                                        "/opt/a:/opt/b",
                                        "spark.executorEnv.COLOUR",
                                        "blue",
                                        "hearth.executorEnv._X1",
                                        "")))
                .of(new ApplicationId("app-7"), new ExecutorId("3"));
        assertEquals(
                List.of("-Da=1", "-Db=two words", "-Dc=it's", "-Xss2m", "-Dlog=app-7/3-3.log", "-De=", "-Df= g"),
                options.javaOptions());
        assertEquals("/opt/a:/opt/b", options.libraryPath());
        assertEquals(Map.of("COLOUR", "blue", "_X1", ""), options.environment());
    }

    @Test
    void readsTheOptionsOfADriver() {
        LaunchOptions options = LaunchOptions.ofDriver(Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.driver.defaultJavaOptions", "-Da=1",
                                "hearth.driver.extraJavaOptions", "--add-opens java.base/java.lang=ALL-UNNAMED",
                                "hearth.driver.extraLibraryPath", "/opt/a",
                                "spark.driverEnv.COLOUR", "red",
                                "hearth.executorEnv.COLOUR", "blue")));
        assertEquals(
                new LaunchOptions(
                        List.of("-Da=1", "--add-opens", "java.base/java.lang=ALL-UNNAMED"),
                        "/opt/a",
                        Map.of("COLOUR", "red")),
                options);
        assertEquals(
                Map.of("COLOUR", "red", "SIZE", "2"),
                options.over(Map.of("COLOUR", "of others", "SIZE", "2")).environment());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xmx1g",
                "-Da=b -XX:MaxHeapSize=1g",
                "-Da=\"b",
                "word",
                "--add-opens a=b c",
                "--add-opens=a=b c",
                "-jar",
                "--module a/b",
                "-Dspark.ui.enabled=true",
                "-Dhearth.ui.enabled=true"
            })
    void refusesWhatExecutorsMayNotHave(String text) {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> LaunchOptions.ofExecutors(Settings.empty().with("--conf", EXTRA, text)));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("hearth.executor.extraJavaOptions: " + text + " (expected: options of Java,"),
                refused::getMessage);
    }

    @Test
    void reportsAllProblemsAtOnceAndNoSecret() {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> LaunchOptions.ofExecutors(Settings.empty()
                        .with(
                                "--conf",
                                Map.of(
                                        EXTRA,
                                        "-Xmx1g",
                                        "spark.executor.defaultJavaOptions",
                                        "'",
                                        "spark.executorEnv.9LIVES",
                                        "x",
                                        "spark.executorEnv.HEARTH_HOME",
                                        "x",
                                        "spark.executorEnv.A-TOKEN",
                                        "the-token",
                                        "spark.executorEnv.FINE",
                                        "x"))));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("5 invalid settings:"), message);
        assertTrue(message.contains("hearth.executorEnv.9LIVES: x (expected: a variable whose name"), message);
        assertTrue(message.contains("hearth.executorEnv.A-TOKEN: (hidden) (expected"), message);
        assertFalse(message.contains("the-token"), message);
    }

    @Test
    void showsNoValues() {
        assertEquals(
                "1 options of Java, variables [API_TOKEN]",
                new LaunchOptions(List.of("-Dpassword=x"), "", Map.of("API_TOKEN", "x")).toString());
    }
}
