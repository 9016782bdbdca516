package dev.hearth.standalone.internal.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputLinksTest {
    @Test
    void leadsToThePagesOfTheWorkerAsInSpark() {
        LogSource executor = LogSource.ofExecutor(new ApplicationId("app-1"), new ExecutorId("7"));
        assertEquals(
                Map.of(
                        "stderr", "http://h:7078/logPage/?appId=app-1&executorId=7&logType=stderr",
                        "stdout", "http://h:7078/logPage/?appId=app-1&executorId=7&logType=stdout"),
                OutputLinks.of(executor, "http://h:7078", "h", "/jobs/app-1/7"));
        Map<String, String> driver =
                OutputLinks.of(LogSource.ofDriver(new SubmissionId("driver-1")), "https://h:1", "h", "/jobs/driver-1");
        assertEquals("https://h:1/logPage/?driverId=driver-1&logType=stdout", driver.get("stdout"));
        assertEquals(List.of("stderr", "stdout"), List.copyOf(driver.keySet()));
    }

    @Test
    void leadsToTheFilesOfAWorkerWithoutPages() {
        LogSource driver = LogSource.ofDriver(new SubmissionId("driver-1"));
        assertEquals(
                Map.of("stderr", "file://h/jobs/driver-1/stderr", "stdout", "file://h/jobs/driver-1/stdout"),
                OutputLinks.of(driver, "", "h", "/jobs/driver-1"));
    }
}
