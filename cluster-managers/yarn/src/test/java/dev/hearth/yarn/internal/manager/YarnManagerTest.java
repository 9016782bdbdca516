package dev.hearth.yarn.internal.manager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.settings.YarnKeys;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.submission.SubmissionTools;
import dev.hearth.yarn.internal.submission.YarnSubmitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YarnManagerTest {
    private static final MasterUrl MASTER = MasterUrl.parse("yarn");

    @TempDir
    private Path directory;

    private static YarnManager manager(Map<String, String> environment) {
        return manager(environment, new Noted(new ArrayList<>()));
    }

    /** Notes what is prepared. */
    private record Noted(List<String> done) implements YarnManager.Preparation {
        @Override
        public void all() {
            done.add("all");
        }

        @Override
        public void submission() {
            done.add("submission");
        }

        @Override
        public void begin() {
            done.add("begin");
        }
    }

    private static YarnManager manager(Map<String, String> environment, YarnManager.Preparation preparation) {
        SubmissionTools tools = new SubmissionTools(null, null, () -> BundleSet.NONE, new SubmissionTools.Sessions() {
            @Override
            public Executor under(Executor blocking) {
                return blocking;
            }

            @Override
            public YarnSession open(HadoopSite site, Settings settings) throws IOException {
                throw new IOException("no cluster");
            }
        });
        return new YarnManager(null, new YarnSubmitter(tools, () -> 0), environment, preparation);
    }

    private void check(Map<String, String> settings, DeployMode mode) {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi")
                .settings(Settings.empty().with("test", settings))
                .build();
        manager(Map.of("HADOOP_CONF_DIR", directory.toString())).check(plan, MASTER, mode);
    }

    private String refusal(Map<String, String> settings, DeployMode mode) {
        HearthException refused = assertThrows(HearthException.class, () -> check(settings, mode));
        assertEquals("BAD_SETTING", refused.code());
        return String.valueOf(refused.getMessage());
    }

    private String refusal(String key, String value) {
        return refusal(Map.of(key, value), DeployMode.CLUSTER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn", "yarn[/etc/hadoop]", "yarn://rm.example:8032", "yarn://10.0.0.1:8032"})
    void acceptsItsMasters(String master) {
        assertDoesNotThrow(() -> manager(Map.of()).validate(MasterUrl.parse(master)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yarn://rm", "yarn[]", "yarn://a b:1", "yarn://h:port"})
    void refusesOtherForms(String master) {
        assertThrows(HearthException.class, () -> manager(Map.of()).validate(MasterUrl.parse(master)));
    }

    @Test
    void loadsItsClassesForTheArchive() throws Exception {
        List<String> done = new ArrayList<>();
        YarnManager manager = manager(Map.of(), new Noted(done));
        manager.prepareSubmission();
        manager.prepare();
        assertEquals(List.of("submission", "all"), done);
    }

    @Test
    void givesTheDefaultsOfSparkOnYarn() {
        Map<String, String> defaults = manager(Map.of("NM_HOST", "node7")).defaults(MASTER);
        assertEquals("2", defaults.get("hearth.executor.instances"));
        assertEquals("0.8", defaults.get("hearth.scheduler.minRegisteredResourcesRatio"));
        assertEquals("true", defaults.get("hearth.authenticate"));
        assertEquals("node7", defaults.get("hearth.driver.host"));
        assertNotEquals(
                defaults.get("hearth.authenticate.applicationSecret"),
                manager(Map.of()).defaults(MASTER).get("hearth.authenticate.applicationSecret"));
    }

    @Test
    void takesTheAddressTowardsTheResourceManager() throws IOException {
        Files.writeString(
                directory.resolve("yarn-site.xml"),
                "<configuration><property><name>yarn.resourcemanager.hostname</name><value>127.0.0.1</value></property>"
                        + "</configuration>");
        Map<String, String> defaults =
                manager(Map.of("HADOOP_CONF_DIR", directory.toString())).defaults(MASTER);
        assertEquals("127.0.0.1", defaults.get("hearth.driver.host"));
    }

    @Test
    void findsTheHostOfAnActiveOrPassiveResourceManager() throws IOException {
        Files.writeString(directory.resolve("yarn-site.xml"), """
                <!DOCTYPE x><configuration>
                <property><name>yarn.resourcemanager.ha.rm-ids</name><value>rm1,rm2</value></property>
                <property><name>yarn.resourcemanager.address.rm1</name><value>first:8032</value></property>
                </configuration>""");
        HadoopSite site = HadoopSite.of(MASTER, Settings.empty(), Map.of("YARN_CONF_DIR", directory.toString()));
        assertEquals("first", site.resourceManagerHost().orElseThrow());
    }

    @Test
    void needsAConfigurationOfHadoop() {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi").build();
        HearthException refused =
                assertThrows(HearthException.class, () -> manager(Map.of()).check(plan, MASTER, DeployMode.CLUSTER));
        assertTrue(refused.getMessage()
                .contains("When running with master 'yarn' either HADOOP_CONF_DIR or YARN_CONF_DIR must be set in the"
                        + " environment."));
        assertDoesNotThrow(() -> manager(Map.of()).check(plan, MasterUrl.parse("yarn://rm:8032"), DeployMode.CLUSTER));
        assertDoesNotThrow(
                () -> manager(Map.of()).check(plan, MasterUrl.parse("yarn[" + directory + "]"), DeployMode.CLUSTER));
        SubmissionPlan named = plan.but()
                .settings(Settings.empty().with("test", "hearth.hadoop.yarn.resourcemanager.address", "rm:8032"))
                .build();
        assertDoesNotThrow(() -> manager(Map.of()).check(named, MASTER, DeployMode.CLUSTER));
    }

    @Test
    void takesTheDirectoryOfItsOwnSettingsOnlyWithFilesOfHadoop() throws IOException {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi").build();
        YarnManager own = manager(Map.of("HEARTH_CONF_DIR", directory.toString()));
        assertThrows(HearthException.class, () -> own.check(plan, MASTER, DeployMode.CLUSTER));
        Files.writeString(directory.resolve("yarn-site.xml"), "<configuration/>");
        assertDoesNotThrow(() -> own.check(plan, MASTER, DeployMode.CLUSTER));
    }

    @Test
    void needsNoConfigurationInAContainer() {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi").build();
        assertDoesNotThrow(() ->
                manager(Map.of("CONTAINER_ID", "container_1_0001_01_000001")).check(plan, MASTER, DeployMode.CLUSTER));
    }

    @Test
    void namesAllProblemsAtOnce() {
        String refusal = refusal(
                Map.of(
                        "hearth.yarn.isPython", "true",
                        "hearth.yarn.nonsense", "1",
                        "hearth.authenticate", "false",
                        "hearth.kerberos.principal", "alice",
                        "hearth.yarn.maxAppAttempts", "0",
                        "hearth.yarn.applicationType", "a type of more than twenty characters"),
                DeployMode.CLUSTER);
        assertTrue(refusal.contains("hearth.yarn.isPython"), refusal);
        assertTrue(refusal.contains("hearth.yarn.nonsense"), refusal);
        assertTrue(refusal.contains("hearth.authenticate: false"), refusal);
        assertTrue(refusal.contains("Both principal and keytab must be defined, or neither."), refusal);
        assertTrue(refusal.contains("hearth.yarn.maxAppAttempts"), refusal);
        assertTrue(refusal.contains("20 characters"), refusal);
    }

    @Test
    void keepsTheWordsOfSpark() throws IOException {
        Path keytab = Files.createFile(directory.resolve("a.keytab"));
        assertTrue(refusal(
                        Map.of(
                                "hearth.kerberos.principal", "a",
                                "hearth.kerberos.keytab", keytab.toString(),
                                "hearth.proxyUser", "bob"),
                        DeployMode.CLIENT)
                .contains("Only one of --proxy-user or --principal can be provided."));
        assertTrue(refusal(
                        Map.of("hearth.kerberos.principal", "a", "hearth.kerberos.keytab", "hdfs://nn/a.keytab"),
                        DeployMode.CLUSTER)
                .contains("Keytab should reference a local file."));
        assertTrue(refusal("spark.yarn.am.extraJavaOptions", "-Xmx1g")
                .contains("is not allowed to specify max heap memory settings"));
    }

    @Test
    void refusesTheTwentyTwoResourcesThatHaveASettingOfTheirOwn() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String process : List.of("am", "driver", "executor")) {
            for (String type : List.of("memory", "mb", "memory-mb", "cores", "vcores", "cpu-vcores")) {
                settings.put(YarnKeys.PREFIX + process + ".resource." + type + ".amount", "1");
            }
        }
        for (String process : List.of("driver", "executor")) {
            settings.put(YarnKeys.PREFIX + process + ".resource.yarn.io/gpu.amount", "1");
            settings.put(YarnKeys.PREFIX + process + ".resource.yarn.io/fpga.amount", "1");
        }
        assertEquals(22, settings.size());
        String refusal = refusal(settings, DeployMode.CLUSTER);
        settings.keySet()
                .forEach(key -> assertTrue(refusal.contains("Do not use " + key + ", please use hearth."), key));
        assertEquals(
                22,
                refusal.lines()
                        .filter(line -> line.contains("Error: Do not use"))
                        .count(),
                refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "G1", "1.5", "-1", ""})
    void refusesAmountsThatCannotBeRead(String amount) {
        String key = "hearth.yarn.executor.resource.yarn.io/tpu.amount";
        assertTrue(refusal(key, amount).contains(key), amount);
    }

    @ParameterizedTest
    @CsvSource({
        "spark.yarn.jar, hearth.yarn.jars",
        "spark.yarn.executor.memoryOverhead, hearth.executor.memoryOverhead",
        "spark.yarn.driver.memoryOverhead, hearth.driver.memoryOverhead",
        "spark.yarn.keytab, hearth.kerberos.keytab",
        "spark.yarn.principal, hearth.kerberos.principal",
        "spark.yarn.kerberos.relogin.period, hearth.kerberos.relogin.period",
        "spark.yarn.access.namenodes, hearth.kerberos.access.hadoopFileSystems",
        "spark.yarn.max.executor.failures, hearth.executor.maxNumFailures",
        "spark.yarn.max.worker.failures, hearth.executor.maxNumFailures",
        "spark.yarn.executor.failuresValidityInterval, hearth.executor.failuresValidityInterval",
        "spark.yarn.security.tokens.hive.enabled, hearth.security.credentials.hive.enabled",
        "spark.yarn.security.credentials.hbase.enabled, hearth.security.credentials.hbase.enabled"
    })
    void understandsFormerNames(String former, String present) {
        Settings settings = YarnFormerSettings.resolved(Settings.empty().with("test", former, "7"));
        assertEquals("7", settings.find(present).orElseThrow());
        assertEquals(
                1,
                YarnSettingCheck.hints(Settings.empty().with("test", former, "7"))
                        .size());
    }

    @Test
    void prefersThePresentName() {
        Settings both = Settings.empty()
                .with("test", Map.of("hearth.yarn.principal", "old", "hearth.kerberos.principal", "new"));
        assertEquals(
                "new",
                YarnFormerSettings.resolved(both)
                        .find("hearth.kerberos.principal")
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "am.waitTime",
                "am.clientModeExitOnError",
                "am.clientModeTreatDisconnectAsFailed",
                "scheduler.reporterThread.maxFailures",
                "user.classpath.first",
                "populateHadoopClasspath",
                "client.statCache.preload.enabled",
                "executor.oomKill.enabled",
                "includeDriverLogsLink",
                "am.port",
                "services",
                "credentials.file.retention.count",
                "shuffle.stopOnFailure"
            })
    void tellsSettingsWithoutEffect(String rest) {
        List<String> hints = YarnSettingCheck.hints(Settings.empty().with("test", YarnKeys.PREFIX + rest, "1"));
        assertEquals(1, hints.size());
        assertTrue(hints.get(0).contains("has no effect: "), hints::toString);
        assertDoesNotThrow(() -> check(Map.of(YarnKeys.PREFIX + rest, "1"), DeployMode.CLUSTER));
    }

    /** Each yarn setting of Spark has an effect, another name, a word in the log, or a refusal. */
    @Test
    void answersEverySettingOfSpark() throws IOException {
        List<String> silent = new ArrayList<>();
        for (String key : new String(
                        YarnManagerTest.class
                                .getResourceAsStream("/spark-yarn-settings.txt")
                                .readAllBytes(),
                        UTF_8)
                .lines()
                .toList()) {
            String own = key.replaceFirst("^spark\\.", "hearth.");
            String rest = own.substring(Math.min(own.length(), YarnKeys.PREFIX.length()));
            boolean answered = YarnSettings.isDeclared(own)
                    || HadoopIdentity.KEYS.stream()
                            .anyMatch(declared -> declared.name().equals(own))
                    || YarnFormerSettings.successor(own).isPresent()
                    || (own.startsWith(YarnKeys.PREFIX)
                            && (YarnRefusals.withoutEffect(rest).isPresent()
                                    || YarnRefusals.refused(rest).isPresent()));
            if (!answered) {
                silent.add(key);
            }
        }
        assertEquals(List.of(), silent);
    }

    @Test
    void refusesAnUnmanagedApplicationMasterInClusterMode() {
        assertTrue(refusal("hearth.yarn.unmanagedAM.enabled", "true").contains("true in cluster mode"));
        assertDoesNotThrow(() -> check(Map.of("hearth.yarn.unmanagedAM.enabled", "true"), DeployMode.CLIENT));
    }

    @Test
    void refusesJarsOfSparkAndHalfAGateway() {
        assertTrue(refusal("spark.yarn.jars", "hdfs://nn/spark/*.jar").contains("one archive of Hearth"));
        assertTrue(refusal("hearth.yarn.config.gatewayPath", "/a").contains("or neither"));
        assertFalse(YarnSettings.isDeclared("hearth.yarn.none"));
    }
}
