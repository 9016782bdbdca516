package dev.hearth.kubernetes.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.pod.DriverContent;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.seat.SeatInstructions;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Launch orders and files of drivers on the cluster. */
class DriverLaunchTest {
    private static final String CREDENTIAL = "hearth.kubernetes.authenticate.";

    @TempDir
    private Path directory;

    private static Settings settings(Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>(Map.of("hearth.kubernetes.container.image", "hearth:1"));
        values.putAll(given);
        return Settings.empty().with("test", values);
    }

    private DriverLaunch launch(SubmissionPlan plan) {
        SettingsReader in = new SettingsReader(plan.settings());
        SubmissionSettings settings = SubmissionSettings.read(in);
        in.finish();
        SendingServices services = new SendingServices(plan.settings(), directory);
        DriverFilesReader.Found found =
                new DriverFilesReader(services, settings.carriedBytesMax(), line -> {}).read(plan);
        return DriverLaunch.of(
                plan,
                new DriverLaunch.Origin(
                        DriverObjects.identity(plan.name(), DriverFixtures.random(1), "ada", "1.0"),
                        "spark",
                        settings,
                        found,
                        DriverFilesReader.credentials(settings.driver()),
                        DriverFilesReader.templates(plan.settings()),
                        "proof"));
    }

    private static String secret(DriverLaunch launch, String key) {
        try {
            JsonNode data = new ObjectMapper()
                    .readTree(launch.objects().secret().json())
                    .path("data");
            return new String(Base64.getDecoder().decode(data.path(key).asText()), StandardCharsets.UTF_8);
        } catch (IOException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static LaunchOrders orders(DriverLaunch launch) {
        try {
            return LaunchOrders.read(new BufferedReader(new StringReader(secret(launch, "orders"))));
        } catch (IOException truncated) {
            throw new AssertionError(truncated);
        }
    }

    private static SubmissionPlan planInPod(DriverLaunch launch) {
        Map<String, String> resolved = orders(launch).resolved(name -> Optional.of("10.0.0.9"));
        return DriverOrders.plan(resolved, Settings.empty());
    }

    private static SubmissionPlan.Builder plan(Map<String, String> given) {
        return SubmissionPlan.builder("pi", "example.Pi").settings(settings(given));
    }

    private Path file(String name, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        content[0] = (byte) (name.hashCode() & 0x7f);
        return Files.write(directory.resolve(name), content);
    }

    @Test
    void ordersTheDriverForItsPod() {
        DriverLaunch launch = launch(plan(Map.of("hearth.executor.instances", "3", "hearth.ssl.keyFile", "/k"))
                .arguments(List.of("a b", "${env:HOME}"))
                .build());
        Map<String, String> orders = orders(launch).values();
        assertEquals("spark:pi-0000000000000001-driver", launch.submission().value());
        assertEquals("k8s", orders.get("hearth.master"));
        assertEquals("spark", orders.get("hearth.kubernetes.namespace"));
        assertEquals("pi-0000000000000001-driver", orders.get("hearth.kubernetes.driver.pod.name"));
        assertEquals("spark-" + DriverFixtures.random(1), orders.get(DriverLaunch.APPLICATION));
        assertEquals("3", orders.get("hearth.executor.instances"));
        assertTrue(DriverOrders.areSeated(orders));

        SubmissionPlan inPod = planInPod(launch);
        assertEquals("10.0.0.9", inPod.settings().find("hearth.driver.host").orElse(""));
        assertEquals(List.of("a b", "${env:HOME}"), inPod.arguments());
        assertEquals("example.Pi", inPod.mainClass());
    }

    @Test
    void namesTheServiceInsteadOfTheAddressIfWanted() {
        DriverLaunch launch = launch(plan(Map.of("hearth.kubernetes.executor.useDriverPodIP", "false"))
                .build());
        SubmissionPlan inPod = planInPod(launch);
        assertEquals(
                "pi-0000000000000001-driver-svc.spark.svc",
                inPod.settings().find("hearth.driver.host").orElse(""));
        assertEquals(
                "10.0.0.9", inPod.settings().find("hearth.driver.bindAddress").orElse(""));
    }

    @Test
    void carriesAsMuchAsTheBoundAllows() throws IOException {
        Path jar = file("app.jar", 50 * 1024);
        SubmissionPlan plan = plan(Map.of("hearth.kubernetes.configMap.maxSize", "65536"))
                .add(Kind.APPLICATION_JAR, jar.toString())
                .build();
        assertEquals(1, launch(plan).uploads().size(), "50 KiB are more than 70 % of 64 KiB");
    }

    @Test
    void carriesSmallFiles() throws IOException {
        Path jar = file("app.jar", 1000);
        Path data = file("data.txt", 10);
        DriverLaunch launch = launch(plan(Map.of())
                .add(Kind.APPLICATION_JAR, jar.toString())
                .add(Kind.FILE, data.toUri() + "#alias")
                .add(Kind.JAR, "local:///opt/lib.jar")
                .build());
        SubmissionPlan inPod = planInPod(launch);
        String path = inPod.applicationJar().orElseThrow().path().toString();
        assertTrue(path.matches("/opt/hearth/files/[0-9a-f]{64}/app\\.jar"), path);
        assertTrue(inPod.resources(Kind.FILE).get(0).toString().endsWith("/data.txt#alias"));
        assertEquals("local:///opt/lib.jar", inPod.resources(Kind.JAR).get(0).toString());
        assertEquals(List.of(), launch.uploads());
        String key = path.split("/", -1)[4];
        assertEquals(Files.readString(jar), secret(launch, key));
    }

    @Test
    void carriesTemplatesAndPatchesOfExecutors() throws IOException {
        String executor = "hearth.kubernetes.executor.";
        String driver = "hearth.kubernetes.driver.";
        Path template = Files.writeString(directory.resolve("pod.yaml"), "spec: {priorityClassName: high}");
        Path one = Files.writeString(directory.resolve("one.json"), "{\"spec\":{\"priority\":1}}");
        Path two = Files.writeString(directory.resolve("two.json"), "{\"spec\":{\"priority\":2}}");
        DriverLaunch launch = launch(plan(Map.of(
                        executor + "podTemplateFile", template.toString(),
                        executor + "patchFile", one + "," + two,
                        driver + "podTemplateFile", template.toString(),
                        driver + "patchFile", one.toString()))
                .build());

        Map<String, String> orders = orders(launch).values();
        String carried = orders.get(executor + "podTemplateFile");
        assertTrue(carried.matches("/opt/hearth/files/[0-9a-f]{64}/pod\\.yaml"), carried);
        assertEquals(Files.readString(template), secret(launch, carried.split("/", -1)[4]));
        String patches = orders.get(executor + "patchFile");
        assertTrue(patches.matches("\\S+/one\\.json,\\S+/two\\.json"), patches);
        assertEquals(
                Files.readString(two), secret(launch, patches.split(",", -1)[1].split("/", -1)[4]));
        assertFalse(orders.containsKey(driver + "podTemplateFile"), orders::toString);
        assertFalse(orders.containsKey(driver + "patchFile"), orders::toString);
        String pod = launch.objects().pod().json();
        assertTrue(pod.contains("\"priorityClassName\":\"high\"") && pod.contains("\"priority\":1"), pod);
        assertTrue(pod.contains("/pod.yaml"), "the driver mounts the file");
    }

    @Test
    void sendsLargeFilesToTheDriver() throws IOException {
        Path small = file("small.jar", 1000);
        Path large = file("large.jar", 900_000);
        DriverLaunch launch = launch(plan(Map.of())
                .add(Kind.APPLICATION_JAR, large.toString())
                .add(Kind.JAR, small.toString())
                .build());
        assertEquals(
                List.of("large.jar"),
                launch.uploads().stream().map(LocalFile::name).toList());
        SeatInstructions instructions = SeatInstructions.parse(secret(launch, "instructions"));
        SeatInstructions.Upload upload = instructions.uploads().get(0);
        assertEquals(900_000, upload.bytes());
        assertEquals(
                upload.path(),
                planInPod(launch).applicationJar().orElseThrow().path().toString());
        assertTrue(upload.path().startsWith(DriverObjects.WORK_DIRECTORY + "/.uploads/"));
        assertEquals("proof", instructions.proof());
    }

    @Test
    void fetchesFromServers() {
        String hash = "cd".repeat(32);
        DriverLaunch launch = launch(plan(Map.of())
                .add(Kind.APPLICATION_JAR, "https://h.example/a/app.jar#sha256=" + hash)
                .add(Kind.ARCHIVE, "https://h.example/b.zip#b")
                .add(Kind.FILE, "hdfs://n/c.txt")
                .build());
        SeatInstructions instructions = SeatInstructions.parse(secret(launch, "instructions"));
        assertEquals(
                List.of(
                        new SeatInstructions.Fetch(
                                "https://h.example/a/app.jar", "/opt/hearth/work/.fetched/0/app.jar", hash),
                        new SeatInstructions.Fetch("https://h.example/b.zip", "/opt/hearth/work/.fetched/1/b.zip", "")),
                instructions.fetches());
        SubmissionPlan inPod = planInPod(launch);
        assertEquals(
                "/opt/hearth/work/.fetched/0/app.jar",
                inPod.applicationJar().orElseThrow().path().toString());
        assertEquals("b", inPod.resources(Kind.ARCHIVE).get(0).alias().orElse(""));
        assertEquals("hdfs://n/c.txt", inPod.resources(Kind.FILE).get(0).toString());
    }

    @Test
    void refusesAFileThatIsNotHere() {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> launch(plan(Map.of())
                        .add(Kind.APPLICATION_JAR, "/not/here.jar")
                        .build()));
        assertTrue(refused.getMessage().contains("local:/not/here.jar"), refused::getMessage);
    }

    @Test
    void refusesWhatNoSecretHolds() {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> launch(
                        plan(Map.of()).arguments(List.of("x".repeat(1_100_000))).build()));
        assertTrue(refused.getMessage().contains("expected: at most"), refused::getMessage);
    }

    @Test
    void runsADriverAlone() {
        DriverLaunch launch = launch(
                plan(Map.of("hearth.kubernetes.driver.master", "local[2]")).build());
        assertEquals("local[2]", orders(launch).values().get("hearth.master"));
        assertFalse(DriverOrders.areSeated(orders(launch).values()));
    }

    /** Credentials of the submitter, and those that the driver then has: Spark's suite of the credentials step. */
    @ParameterizedTest
    @CsvSource({
        "submission.oauthToken, t, oauthTokenFile, ''",
        "submission.caCertFile, FILE, caCertFile, ''",
        "oauthToken, t, oauthToken, ''",
        "driver.oauthToken, t, oauthTokenFile, /mnt/secrets/spark-kubernetes-credentials/oauth-token",
        "driver.oauthTokenFile, FILE, oauthTokenFile, /mnt/secrets/spark-kubernetes-credentials/oauth-token",
        "driver.caCertFile, FILE, caCertFile, /mnt/secrets/spark-kubernetes-credentials/ca-cert",
        "driver.clientKeyFile, FILE, clientKeyFile, /mnt/secrets/spark-kubernetes-credentials/client-key",
        "driver.clientCertFile, FILE, clientCertFile, /mnt/secrets/spark-kubernetes-credentials/client-cert",
        "driver.mounted.caCertFile, /in/pod, caCertFile, /in/pod",
        "driver.mounted.clientKeyFile, /in/pod, clientKeyFile, /in/pod",
        "driver.mounted.clientCertFile, /in/pod, clientCertFile, /in/pod",
        "driver.mounted.oauthTokenFile, /in/pod, oauthTokenFile, /in/pod",
        "driver.mounted.oauthToken, t, oauthToken, t",
    })
    void passesCredentials(String given, String value, String key, String expected) throws IOException {
        String text = value.equals("FILE") ? file("credential", 5).toString() : value;
        DriverLaunch launch = launch(plan(Map.of(CREDENTIAL + given, text)).build());
        Map<String, String> orders = orders(launch).values();
        assertEquals(expected, orders.getOrDefault(CREDENTIAL + key, ""));
        assertTrue(
                orders.keySet().stream()
                        .noneMatch(name ->
                                name.startsWith(CREDENTIAL + "submission.") || name.startsWith(CREDENTIAL + "driver.")),
                orders.keySet()::toString);
        assertEquals(
                expected.startsWith(DriverContent.CREDENTIALS),
                launch.objects().pod().json().contains(DriverContent.CREDENTIALS));
    }

    @Test
    void refusesATokenAndAFileWithIt() {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> launch(plan(Map.of(
                                CREDENTIAL + "submission.oauthToken", "t",
                                CREDENTIAL + "submission.oauthTokenFile", "/f"))
                        .build()));
        assertTrue(refused.getMessage().contains("not both"), refused::getMessage);
    }

    @Test
    void keepsInstructionsInTheirText() {
        SeatInstructions instructions = new SeatInstructions(
                "s",
                "p",
                "",
                true,
                "proof",
                List.of(new SeatInstructions.Upload("ab", 7, "/a b/c")),
                List.of(new SeatInstructions.Fetch("https://h/x", "/y z", "")));
        assertEquals(instructions, SeatInstructions.parse(instructions.text()));
        assertFalse(instructions.toString().contains("proof"));
        assertThrows(HearthException.class, () -> SeatInstructions.parse("x=y\n.\n"));
        assertThrows(HearthException.class, () -> SeatInstructions.parse("secret=s\n"));
    }
}
