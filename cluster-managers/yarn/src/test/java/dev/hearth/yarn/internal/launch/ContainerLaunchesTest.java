package dev.hearth.yarn.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Makes launches of executors, and looks for the secret in them. */
class ContainerLaunchesTest {
    private static final String SECRET = "a-secret-of-more-than-16-bytes";
    private static final GrantedContainer GRANT = new GrantedContainer(
            "container_1", "node-1", "node-1:1", "node-1:2", "", new ContainerCapability(1024, 1, Map.of()), 1, 1);

    private static final ProcessLauncher LAUNCHER = new ProcessLauncher() {
        @Override
        public ChildProcess start(ChildSpec spec) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> command(String role, List<String> jvmOptions, String home) {
            List<String> words = new ArrayList<>(List.of("java"));
            words.addAll(jvmOptions);
            words.addAll(List.of("-cp", home + "/lib/*", role));
            return words;
        }

        @Override
        public List<String> command(String role, List<String> jvmOptions, String home, String classes) {
            List<String> words = new ArrayList<>(command(role, jvmOptions, home));
            words.add("archive=" + classes);
            return words;
        }
    };

    private static ContainerLaunch launch(Map<String, String> executorSettings, Map<String, String> profile) {
        return launch(executorSettings, profile, false);
    }

    private static ContainerLaunch launch(
            Map<String, String> executorSettings, Map<String, String> profile, boolean fills) {
        StagedFiles files = new StagedFiles(
                List.of(file("hearth", ContainerFile.Kind.ARCHIVE), file("app/abc-x.jar", ContainerFile.Kind.FILE)));
        ProcessOptions options =
                new ProcessOptions(Optional.empty(), Optional.of("alice"), true, Map.of("VIEW_APP", "*"));
        return new ContainerLaunches(
                        new ProcessLaunches(LAUNCHER, options),
                        new ApplicationId("application_1_0001"),
                        EndpointUri.parse("hearth://driver@10.0.0.1:4711").orElseThrow(),
                        executorSettings,
                        each -> new ExecutorNeeds(
                                GRANT.capability(), new ContainerSize(512, 0, 384), 1, ContainerPlace.ANY, fills),
                        files,
                        () -> Bytes.owning(new byte[] {1}))
                .launch(
                        GRANT,
                        new ExecutorId("7"),
                        ExecutorProfile.of(Settings.empty().with("test", profile)));
    }

    private static ContainerFile file(String link, ContainerFile.Kind kind) {
        return new ContainerFile(link, "hdfs://nn/" + link, 1, 2, kind, ContainerFile.Visibility.PRIVATE);
    }

    @Test
    void namesTheArchiveOfClassesIfThereIsOne() {
        ContainerFile platform = file(StagedFiles.PLATFORM, ContainerFile.Kind.ARCHIVE);
        ContainerFile classes = file(StagedFiles.CLASSES, ContainerFile.Kind.ARCHIVE);
        assertFalse(driverCommand(new StagedFiles(List.of(platform))).contains("archive="));
        String command = driverCommand(new StagedFiles(List.of(platform, classes)));
        assertEquals(
                2,
                command.split("'archive=classes/classes.jsa'", -1).length - 1,
                command); // the driver, and the one after it
    }

    private static String driverCommand(StagedFiles files) {
        ProcessOptions options = new ProcessOptions(Optional.empty(), Optional.empty(), false, Map.of());
        return String.join(
                " ",
                new ProcessLaunches(LAUNCHER, options)
                        .launch(
                                "",
                                "driver",
                                100,
                                List.of(),
                                LaunchOptions.ofDriver(new SettingsReader(Settings.empty())),
                                new CarriedOrders(Map.of(), Map.of()),
                                files,
                                Bytes.owning(new byte[0]))
                        .command());
    }

    @Test
    void givesAnExecutorItsOrdersInTheEnvironmentAndTheSecretInTheCredentials() throws IOException {
        ContainerLaunch launch = launch(
                Map.of(
                        "hearth.authenticate",
                        "true",
                        "hearth.authenticate.secret",
                        SECRET,
                        "hearth.app.name",
                        "not needed"),
                Map.of("hearth.executor.memory", "512m", "hearth.executor.cores", "3"));
        Map<String, String> orders = orders(launch);
        ExecutorOrders read = ExecutorOrders.from(orders);
        assertEquals("7", read.executor().value());
        assertEquals("node-1", read.host());
        assertEquals(3, read.cores());
        assertEquals("true", orders.get("hearth.authenticate"));
        assertEquals(
                List.of("app"),
                ExecutorOrders.contents(orders).stream().map(Object::toString).toList());
        assertFalse(orders.containsKey("hearth.app.name"));
        assertEquals(
                Map.of("hearth.order.hearth.authenticate.secret", Bytes.owning(SECRET.getBytes(UTF_8))),
                launch.secrets());
        String shown = launch.command() + " " + launch.environment() + " " + orders + " " + launch;
        assertFalse(shown.contains(SECRET), shown);
        String command = String.join(" ", launch.command());
        assertTrue(command.contains("'-Xmx512m'") && command.contains("'-XX:ActiveProcessorCount=3'"), command);
        assertTrue(command.contains("'-Dhearth.orders=service:yarn'") && command.contains("hearth/lib/*"), command);
        assertEquals("alice", launch.environment().get("HADOOP_USER_NAME"));
        assertEquals(Map.of("VIEW_APP", "*"), launch.acls());
        assertEquals(1, launch.tokens().size());
    }

    private static Map<String, String> orders(ContainerLaunch launch) throws IOException {
        String text = launch.environment().get(CarriedOrders.TEXT);
        assertTrue(text.length() <= CarriedOrders.CHARACTERS_MAX);
        return LaunchOrders.read(new BufferedReader(
                        new StringReader(new String(Base64.getDecoder().decode(text), UTF_8))))
                .values();
    }

    @Test
    void quotesVariablesOfTheUserAndPutsLibrariesFirst() {
        ContainerLaunch launch = launch(
                Map.of(),
                Map.of(
                        "hearth.executorEnv.GREETING", "say \"$HOME\" {{PWD}}",
                        "hearth.executorEnv.LD_LIBRARY_PATH", "/own",
                        "hearth.executor.extraLibraryPath", "/extra"));
        assertEquals("say \\\"\\$HOME\\\" {{PWD}}", launch.environment().get("GREETING"));
        assertEquals("/extra:/own", launch.environment().get("LD_LIBRARY_PATH"));
    }

    /** A container of 1,024 MiB, of which 512 MiB of heap and 384 MiB of overhead were asked for. */
    @Test
    void givesTheHeapWhatTheContainerHasBeyondItsRequestIfToldSo() {
        assertTrue(String.join(" ", launch(Map.of(), Map.of()).command()).contains("'-Xmx512m'"));
        assertTrue(String.join(" ", launch(Map.of(), Map.of(), true).command()).contains("'-Xmx640m'"));
    }

    @Test
    void fillsTheIdsIntoOptionsOfTheUser() {
        ContainerLaunch launch =
                launch(Map.of(), Map.of("hearth.executor.extraJavaOptions", "-Dlog=<LOG_DIR>/{{EXECUTOR_ID}}.log"));
        assertTrue(String.join(" ", launch.command()).contains("'-Dlog=<LOG_DIR>/7.log'"));
    }

    @Test
    void refusesOrdersThatAreTooLongForTheEnvironment() {
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("hearth.rpc.x", "y".repeat(CarriedOrders.CHARACTERS_MAX));
        HearthException refused = assertThrows(HearthException.class, () -> CarriedOrders.of(orders));
        assertTrue(refused.getMessage().contains("hearth.rpc.x"), refused.getMessage());
        assertFalse(refused.getMessage().contains("yyyy"), refused.getMessage());
    }

    @Test
    void treatsAValueThatContainsASecretAsOne() {
        CarriedOrders carried = CarriedOrders.of(Map.of(
                "hearth.executor.extraJavaOptions", "-Dstore.password=" + SECRET, "hearth.authenticate.secret", ""));
        assertEquals(
                List.of("hearth.order.hearth.executor.extraJavaOptions"),
                List.copyOf(carried.secrets().keySet()));
        assertFalse(carried.toString().contains(SECRET));
    }
}
