package dev.hearth.submission.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.submission.api.OwnLoader;
import dev.hearth.submission.api.RecordingEngine;
import dev.hearth.submission.applications.Applications;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launch orders and exit of a driver. */
class DriverRoleTest {
    private final RecordingEngine engine = new RecordingEngine();
    private final TestingLogs logs = new TestingLogs();
    private final DriverRole role = role((application, jars) -> new OwnLoader(jars));
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void readsItsOrders() {
        Map<String, String> orders = orders("x.Y");
        for (int i = 0; i < 12; i++) {
            orders.put("hearth.submission.argument." + i, "argument " + i);
        }
        orders.put("hearth.jars", "/b.jar,/c.jar");
        orders.put("hearth.master", "hearth://h:1");
        Settings installation = Settings.empty().with("conf", Map.of("hearth.master", "local", "hearth.x", "1"));
        SubmissionPlan plan = DriverOrders.plan(orders, installation);
        assertEquals("x.Y", plan.mainClass());
        assertEquals("x.Y", plan.name());
        assertEquals(
                List.of("APPLICATION_JAR file:///a.jar", "JAR file:///b.jar", "JAR file:///c.jar"),
                plan.resources().stream().map(SubmissionResource::text).toList());
        assertEquals(12, plan.arguments().size());
        assertEquals("argument 11", plan.arguments().get(11));
        assertEquals("hearth://h:1", plan.settings().find("hearth.master").orElse(""));
        assertEquals("submission", plan.settings().origin("hearth.master").orElse(""));
        assertEquals("1", plan.settings().find("hearth.x").orElse(""));
        assertTrue(plan.settings().find("hearth.submission.jar").isEmpty());
    }

    @Test
    void refusesToRunWithoutOrders() {
        HearthException failure = assertThrows(HearthException.class, () -> role.run(launch(Map.of())));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("start parameter of the driver, hearth.submission.mainClass: missing"),
                failure::getMessage);
    }

    @Test
    void succeedsWithItsApplication() throws Exception {
        RoleMain.ExitStatus status = role.run(launch(orders(Applications.ReportsItself.class.getName())));
        assertEquals(0, status.status());
        assertEquals(List.of("begin ", "files in driver-1", "succeeded", "closed"), engine.happened());
        assertEquals("", written());
    }

    @Test
    void printsTheStackTraceOfAFailure() throws Exception {
        Map<String, String> orders = orders(Applications.Throws.class.getName());
        orders.put("hearth.submission.argument.0", "no number");
        assertEquals(1, role.run(launch(orders)).status());
        String[] parts = written().split("\nerror: ", -1);
        assertTrue(parts[0].contains("Caused by: java.lang.NumberFormatException"), this::written);
        assertTrue(
                parts[1].matches(
                        "application threw java.lang.NumberFormatException: .*\\R  at .*Throws\\.main\\(.*\\R"),
                this::written);
    }

    @Test
    void takesTheLevelsOfLoggersFromItsSubmission() throws Exception {
        Map<String, String> orders = orders(Applications.ReportsItself.class.getName());
        orders.put("hearth.log.level", "debug");
        orders.put("hearth.log.file", "/of/the/submitter");
        role.run(launch(orders));
        assertEquals(List.of("hearth.log.level=debug"), logs.given);
    }

    @Test
    void endsWithoutAnErrorWhenStopped() throws Exception {
        role.stop();
        assertEquals(
                143,
                role.run(launch(orders(Applications.ReportsItself.class.getName())))
                        .status());
        assertEquals("", written());
    }

    @Test
    void startsTheBundlesOfItsSubmitterFirst(@TempDir Path directory) throws Exception {
        Path jar = Files.writeString(directory.resolve("incoming"), "the bytes of a bundle");
        FrozenBundle bundle = new FrozenBundle("a.manager", "1.0.0", ContentId.of(jar), Files.size(jar));
        Files.move(jar, directory.resolve(bundle.content().sha256() + ".jar"));
        CarriedBundles carried = new CarriedBundles(List.of(bundle), List.of(directory));
        Map<String, String> orders = carried.in(orders(Applications.ReportsItself.class.getName()));
        assertEquals(carried, CarriedBundles.from(orders));
        List<String> started = new ArrayList<>();
        ApplicationLoaders loaders = new ApplicationLoaders() {
            @Override
            public ApplicationLoader open(String application, List<Path> jars) {
                started.add("application");
                return new OwnLoader(jars);
            }

            @Override
            public void start(List<FrozenBundle> bundles, BundleSource source) {
                try {
                    source.fetch(bundles.get(0), directory.resolve("copy"));
                    started.add(bundles + " of " + Files.readString(directory.resolve("copy")));
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }
        };
        assertEquals(0, role(loaders).run(launch(orders)).status());
        assertEquals(List.of("[a.manager 1.0.0] of the bytes of a bundle", "application"), started);
        Files.delete(directory.resolve(bundle.content().sha256() + ".jar"));
        HearthException missing =
                assertThrows(HearthException.class, () -> role(loaders).run(launch(orders)));
        assertTrue(
                String.valueOf(missing.getMessage()).startsWith("jar " + bundle.content() + ": not in [" + directory),
                missing::getMessage);
        assertTrue(DriverOrders.plan(orders, Settings.empty())
                .settings()
                .find("hearth.submission.bundles")
                .isEmpty());
    }

    @Test
    void refusesMalformedBundles() {
        for (String text : List.of("a.manager", "a 1 2 3", "a 1.0.0 " + "0".repeat(64) + " many")) {
            HearthException failure = assertThrows(
                    HearthException.class, () -> CarriedBundles.from(Map.of("hearth.submission.bundles", text)));
            assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        }
    }

    private DriverRole role(ApplicationLoaders loaders) {
        return new DriverRole(
                settings -> {
                    throw new AssertionError("opened an RPC environment");
                },
                logs,
                loaders,
                engine,
                DriverRoleTest::noManager,
                FileStoreRegistry.of(List::of),
                (request, listener) -> List.of(),
                Path.of("/drivers/driver-1"),
                Duration.ofSeconds(5));
    }

    private RoleLaunch launch(Map<String, String> orders) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new RoleLaunch(Path.of("home"), List.of(), orders, Settings.empty(), stream, stream);
    }

    private String written() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, String> orders(String mainClass) {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("hearth.submission.mainClass", mainClass);
        orders.put("hearth.submission.jar", "/a.jar");
        return orders;
    }

    private static PinnedManager noManager(MasterUrl master, String holder) {
        throw new AssertionError("a driver without a seat asks for " + master);
    }
}
