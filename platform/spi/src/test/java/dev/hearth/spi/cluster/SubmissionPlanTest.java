package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a submission, and their way into the orders of a driver and out of them. */
class SubmissionPlanTest {
    private static final SubmissionId ID = new SubmissionId("driver-1");

    @Test
    void travelsInOrdersWithAllItsResources() {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "x.Pi")
                .add(Kind.APPLICATION_JAR, "/apps/a b.jar")
                .add(Kind.JAR, "https://host/one,two.jar")
                .add(Kind.FILE, "memory://store/a.txt#b c".replace(" ", "%20"))
                .add(Kind.ARCHIVE, "local:/opt/z.zip#z")
                .add(Kind.CLASS_PATH, "file:/opt/lib/*")
                .add(Kind.NATIVE_PATH, "local:/opt/native")
                .arguments(List.of("one", "", "three"))
                .settings(Settings.empty().with("test", "hearth.x", "y"))
                .build();
        SubmissionPlan read = DriverOrders.plan(DriverOrders.of(ID, plan), Settings.empty());
        assertEquals(plan.resources(), read.resources());
        assertEquals("pi", read.name());
        assertEquals("x.Pi", read.mainClass());
        assertEquals(List.of("one", "", "three"), read.arguments());
        assertEquals("y", read.settings().find("hearth.x").orElse(""));
        assertTrue(read.settings().find("hearth.app.name").isEmpty());
        assertEquals(
                Path.of("/apps/a b.jar"), read.applicationJar().orElseThrow().path());
    }

    @Test
    void mayLackAJarOrAMainClass() {
        SubmissionPlan noJar = SubmissionPlan.builder("pi", "x.Pi").build();
        assertEquals(
                noJar.resources(),
                DriverOrders.plan(DriverOrders.of(ID, noJar), Settings.empty()).resources());
        SubmissionPlan noClass = SubmissionPlan.builder("a.jar", "")
                .add(Kind.APPLICATION_JAR, "/a.jar")
                .build();
        SubmissionPlan read = DriverOrders.plan(DriverOrders.of(ID, noClass), Settings.empty());
        assertEquals("", read.mainClass());
        assertEquals("a.jar", read.name());
    }

    @Test
    void isReadFromOrdersThatNameAJarAlone() {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("hearth.submission.id", "driver-1");
        orders.put("hearth.submission.mainClass", "x.Pi");
        orders.put("hearth.submission.jar", "/a.jar");
        orders.put("hearth.jars", "/b.jar, /c.jar");
        orders.put("hearth.app.name", "pi");
        SubmissionPlan plan = DriverOrders.plan(orders, Settings.empty());
        assertEquals("pi", plan.name());
        assertEquals(
                List.of("APPLICATION_JAR file:///a.jar", "JAR file:///b.jar", "JAR file:///c.jar"),
                plan.resources().stream().map(SubmissionResource::text).toList());
    }

    @Test
    void changesOnePartAndKeepsTheOthers() {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "")
                .add(Kind.JAR, "/a.jar")
                .environment(Map.of("SECRET", "of the driver"))
                .build();
        SubmissionPlan changed = plan.but().mainClass("x.Pi").build();
        assertEquals("x.Pi", changed.mainClass());
        assertEquals(plan.resources(), changed.resources());
        assertEquals(plan.environment(), changed.environment());
        assertFalse(changed.toString().contains("of the driver"), changed::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b.txt,             b.txt, b.txt",
        "file:/a/b%20c.txt#d,  d,     b c.txt",
        "local:///opt/x/,      x,     x",
        "https://h/a.jar?v=1,  a.jar, a.jar",
    })
    void namesAResourceByItsAliasOrTheEndOfItsPath(String address, String name, String fileName) {
        SubmissionResource resource = SubmissionResource.of(Kind.FILE, address);
        assertEquals(name, resource.name());
        assertEquals(fileName, resource.fileName());
        assertFalse(resource.address().toString().contains("#"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.jar",
                "file:a.jar",
                "local:a.jar",
                "file://host/a.jar",
                "local:/",
                "https://h/a b",
                "s3:a.jar",
                "https://host",
                "",
                "#"
            })
    void refusesAnAddressThatIsNotAbsolute(String address) {
        HearthException refused = assertThrows(HearthException.class, () -> SubmissionResource.of(Kind.JAR, address));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), refused.code());
        assertTrue(String.valueOf(refused.getMessage()).contains(" (expected: a"), refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLANET file:/a", "JAR", "", "JAR  ", "jar file:/a"})
    void refusesATextThatIsNoResource(String text) {
        HearthException refused = assertThrows(HearthException.class, () -> SubmissionResource.parse(text));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), refused.code());
    }
}
