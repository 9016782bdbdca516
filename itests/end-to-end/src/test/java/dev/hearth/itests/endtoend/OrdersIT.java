package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.rpc.EndpointUri;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drivers and executors that start with orders in files, without a parent and with a closed standard input. */
@Timeout(180)
class OrdersIT {
    private static final String CLUSTER_SECRET = "the-secret-of-the-cluster-0123456789";
    private static final String APPLICATION_SECRET = "the-secret-of-the-application-0123456789";

    @TempDir
    private static Path scratch;

    private static Installation installation;
    private static Cluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        installation = Installation.in(scratch);
        cluster = Cluster.start(
                installation,
                Map.of("HEARTH_AUTHENTICATE_SECRET", CLUSTER_SECRET),
                "--conf",
                "hearth.authenticate=true");
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void executorsRegisterAndEndWithTheirDriverOrByASignal() throws Exception {
        int port = FreePort.draw();
        try (Gate gate = new Gate();
                Launched driver = launch("driver", Map.of(), "--orders", driverOrders(gate, "8", port))) {
            Gate.Visitor main = gate.next();
            assertEquals(driver.pid(), main.pid());
            main.pass();
            gate.next(); // a task on an executor of the worker, so the driver's port is open
            try (Launched first = launch("executor", Map.of(), "--orders", executorOrders("first", port));
                    Launched second = launch("executor", Map.of(), "--orders", executorOrders("second", port))) {
                long one = gate.next().pid();
                long other = gate.next().pid();
                assertEquals(
                        Set.of(first.pid(), second.pid()), Set.of(one, other), () -> first.errors() + second.errors());
                for (Launched process : List.of(driver, first, second)) {
                    assertHidden(process.pid());
                }
                second.end();
                assertEquals(ExitCode.TERMINATED.status(), second.status(), second::errors);
                driver.kill();
                assertEquals(ExitCode.DRIVER_LOST.status(), first.status(), first::errors);
                assertTrue(first.errors().contains("connection to the driver"), first::errors);
            }
        }
    }

    @Test
    void driversRunTheirApplicationsOrEndByASignal() throws Exception {
        Path temporary = Files.createDirectory(scratch.resolve("temporary"));
        try (Gate gate = new Gate()) {
            Path directory = Files.createDirectory(scratch.resolve("orders"));
            Files.move(driverOrders(gate, "${env:PARTITIONS}", 0), directory.resolve("10-driver"));
            Map<String, String> environment = Map.of(
                    "HEARTH_ORDERS", directory.toString(),
                    "PARTITIONS", "2",
                    "HEARTH_TMPDIR", temporary.toString(),
                    "HEARTH_CDS", scratch.resolve("no.jsa").toString());
            try (Launched driver = launch("driver", environment)) {
                String command = Files.readString(
                        Path.of("/proc", String.valueOf(gate.next().pid()), "cmdline"));
                assertTrue(command.contains("-Djava.io.tmpdir=" + temporary), command);
                driver.end();
                assertEquals(ExitCode.TERMINATED.status(), driver.status(), driver::errors);
                assertTrue(driver.errors().contains("warning: HEARTH_CDS: '"), driver::errors);
            }
            gate.open();
            try (Launched driver = launch("driver", environment)) {
                assertEquals(0, driver.status(), driver::errors);
                assertEquals("sum is 1\n", driver.output());
            }
        }
        try (Stream<Path> left = Files.walk(temporary)) {
            assertEquals(List.of(), left.filter(Files::isRegularFile).toList());
        }
    }

    /** Starts a role whose standard input is closed. */
    private static Launched launch(String role, Map<String, String> environment, Object... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "exec \"$0\" \"$@\" <&-"));
        command.addAll(List.of(installation.home().resolve("bin/hearth").toString(), role));
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        return Launched.start(scratch, environment, command);
    }

    private static Path driverOrders(Gate gate, String partitions, int port) throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("hearth.submission.id", "driver-by-hand");
        orders.put("hearth.submission.mainClass", "dev.hearth.itests.endtoend.app.GatedSum");
        orders.put("hearth.submission.jar", installation.applications().toString());
        orders.put("hearth.submission.argument.0", String.valueOf(gate.port()));
        orders.put("hearth.submission.argument.1", partitions);
        orders.put("hearth.master", cluster.url());
        orders.put("hearth.authenticate", "true");
        orders.put("hearth.authenticate.secret", CLUSTER_SECRET);
        orders.put("hearth.authenticate.applicationSecret", APPLICATION_SECRET);
        orders.put("hearth.driver.port", String.valueOf(port));
        orders.put("hearth.cores.max", "1");
        orders.put("hearth.executor.memory", "256m");
        return write("driver", new LaunchOrders(orders, Set.of("hearth.submission.argument.1")));
    }

    private static Path executorOrders(String id, int port) throws IOException {
        EndpointUri driver = new EndpointUri("driver-1", new RpcAddress("127.0.0.1", port));
        Map<String, String> orders = new LinkedHashMap<>(
                new ExecutorOrders(new ExecutorId(id), "node-" + id, 1, driver, "127.0.0.1").asMap());
        orders.put("hearth.authenticate", "true");
        orders.put("hearth.authenticate.secret", APPLICATION_SECRET);
        return write(id, LaunchOrders.of(orders));
    }

    private static Path write(String name, LaunchOrders orders) throws IOException {
        Path file = Files.createTempFile(
                scratch,
                name,
                ".orders",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, orders.text());
    }

    private static void assertHidden(long pid) throws IOException {
        for (String file : List.of("cmdline", "environ")) {
            byte[] bytes = Files.readAllBytes(Path.of("/proc", String.valueOf(pid), file));
            String text = new String(bytes, StandardCharsets.UTF_8);
            assertFalse(text.contains("the-secret-of-"), () -> file + " of " + pid + ": " + text);
        }
    }
}
