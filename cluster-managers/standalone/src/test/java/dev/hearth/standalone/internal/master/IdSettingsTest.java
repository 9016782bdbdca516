package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forms of ids that the settings of a master choose. */
class IdSettingsTest {
    private static final String DRIVERS = "spark.deploy.driverIdPattern";
    private static final String APPLICATIONS = "spark.deploy.appIdPattern";

    @Test
    void givesIdsInTheChosenForm() {
        Master master = master(Map.of(DRIVERS, "my-driver-%2$05d", APPLICATIONS, "my-app-%2$05d"));
        assertEquals("my-driver-00000", submit(master, "r"));
        assertEquals("my-driver-00001", submit(master, "s"));
        assertEquals("my-app-00000", register(master, "pi"));
        assertEquals("app-20261118094746-0000", register(master(Map.of()), "pi"));
    }

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource({
        "spark.deploy.driverIdPattern, 'my driver'",
        "spark.deploy.driverIdPattern, 'my driver-%s-%d'",
        "spark.deploy.driverIdPattern, driver-%s",
        "spark.deploy.driverIdPattern, driver-%s-%s-%s",
        "spark.deploy.driverIdPattern, driver-%d-%s",
        "spark.deploy.driverIdPattern, ../driver-%s-%d",
        "spark.deploy.appIdPattern, 'my app'",
        "spark.deploy.appIdPattern, app/%s/%d",
        "spark.deploy.appIdPattern, app-%s",
        "spark.deploy.appIdPattern, app-%s-%",
        "spark.deploy.appNumberModulo, 0"
    })
    void refusesAFormThatMakesNoIdsAtTheStart(String key, String value) {
        HearthException refused = assertThrows(HearthException.class, () -> MasterFixture.settings(Map.of(key, value)));
        assertTrue(
                String.valueOf(refused.getMessage()).startsWith(key.replace("spark.", "hearth.") + ": " + value),
                refused::getMessage);
    }

    @Test
    void beginsAgainWithTheNumbersOfApplicationsAfterTheModulus() {
        Master master = master(Map.of("spark.deploy.appNumberModulo", "3"));
        assertEquals(
                List.of("0000", "0001", "0002", "0000-2", "0001-2"),
                IntStream.range(0, 5)
                        .mapToObj(i -> register(master, "pi").replace("app-20261118094746-", ""))
                        .toList(),
                "all of them run, so that no id is given twice");
        assertEquals("app-20261118094747-0002", register(master, "pi", 1_000_000_000L));
    }

    @Test
    void namesApplicationIdsAfterTheirNames() {
        Master master = master(Map.of("spark.master.useAppNameAsAppId.enabled", "true"));
        assertEquals("spark-45756", register(master, "spark - 45756"));
        assertEquals("spark-45756-2", register(master, "SPARK-45756"), "the other one runs");
        assertEquals("a-b.c", register(master, "..A/b.c"));
        assertEquals("app", register(master, " "));
        assertEquals(180, register(master, "x".repeat(500)).length());
    }

    @Test
    void namesApplicationsAfterTheirDrivers() {
        Master master = master(Map.of("spark.master.useDriverIdAsAppName.enabled", "true"));
        String id = submit(master, "r");
        master.registerWorker(new RegisterWorker("worker-a", "10.0.0.1", 7_078, 2, 1_024, ""), 1, 0);
        DriverSpec launched = master.settle(0).stream()
                .filter(MasterEffect.Send.class::isInstance)
                .map(effect -> ((MasterEffect.Send) effect).message())
                .filter(LaunchDriver.class::isInstance)
                .map(order -> ((LaunchDriver) order).driver())
                .findFirst()
                .orElseThrow();
        assertEquals(id, launched.settings().get("hearth.app.name"));
        assertEquals(id, launched.name());
        assertEquals(
                List.of("x.Pi"),
                master.driverEntries().stream().map(ListedDriver::mainClass).toList());
    }

    private static Master master(Map<String, String> settings) {
        MasterSettings read = MasterFixture.settings(settings);
        return new Master(read, new IdGenerator(read.ids(), Instant.parse("2026-11-18T09:47:46Z"), 0), 0);
    }

    private static String submit(Master master, String request) {
        DriverSpec driver = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of("a", "b"), 1, 512);
        return master.submit(new SubmitDriver(request, driver, ""), 0)
                .submission()
                .value();
    }

    private static String register(Master master, String name) {
        return register(master, name, 0);
    }

    private static String register(Master master, String name, long now) {
        RegisterApplication message = new RegisterApplication(
                name, "application", "hearth://driver-1@h:1", OptionalInt.empty(), OptionalInt.empty(), 512, Map.of());
        return master.registerApplication(message, 9, now).application().value();
    }
}
