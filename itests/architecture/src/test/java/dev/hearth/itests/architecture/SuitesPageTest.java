package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks the pages about suites of Spark: the rows of each suite stand for as many tests as Spark's has, the counts are those
 * of the rows, a row that is taken or turned names tests of the tree, and one that is turned or dropped gives the reason. A
 * row stands for one test, or for as many as it says.
 */
class SuitesPageTest {
    /** Numbers of tests of Spark's suites for Kubernetes, of the development version 5.0 and of the 2.2 for Kubernetes. */
    private static final Map<String, Integer> KUBERNETES = Map.ofEntries(
            Map.entry("ExecutorPodsAllocatorSuite", 28),
            Map.entry("ExecutorPodsLifecycleManagerSuite", 9),
            Map.entry("KubernetesClusterSchedulerBackendSuite", 16),
            Map.entry("ExecutorPodsSnapshotSuite", 3),
            Map.entry("ExecutorPodsSnapshotsStoreSuite", 3),
            Map.entry("ExecutorPodsWatchSnapshotSourceSuite", 2),
            Map.entry("ExecutorPodsPollingSnapshotSourceSuite", 3),
            Map.entry("StatefulSetAllocatorSuite", 4),
            Map.entry("DeploymentAllocatorSuite", 7),
            Map.entry("ExecutorResizePluginSuite", 10),
            Map.entry("ExecutorPVCResizePluginSuite", 13),
            Map.entry("KubernetesLocalDiskShuffleDataIOSuite", 8),
            Map.entry("ShuffleChecksumSuite", 7),
            Map.entry("ExecutorRollPluginSuite", 28),
            Map.entry("BasicExecutorFeatureStepSuite", 39),
            Map.entry("BasicDriverFeatureStepSuite", 18),
            Map.entry("KubernetesConfSuite", 18),
            Map.entry("MountVolumesFeatureStepSuite", 23),
            Map.entry("KubernetesVolumeUtilsSuite", 22),
            Map.entry("LocalDirsFeatureStepSuite", 5),
            Map.entry("MountSecretsFeatureStepSuite", 1),
            Map.entry("EnvSecretsFeatureStepSuite", 1),
            Map.entry("DriverServiceFeatureStepSuite", 10),
            Map.entry("DriverKubernetesCredentialsFeatureStepSuite", 5),
            Map.entry("ExecutorKubernetesCredentialsFeatureStepSuite", 3),
            Map.entry("NetworkPolicyFeatureStepSuite", 1),
            Map.entry("DriverCommandFeatureStepSuite", 8),
            Map.entry("PodBuilderSuite", 10),
            Map.entry("KubernetesUtilsSuite", 7),
            Map.entry("KubernetesClientUtilsSuite", 5),
            Map.entry("ClientSuite", 6),
            Map.entry("K8sSubmitOpSuite", 6),
            Map.entry("KubernetesClusterManagerSuite", 5),
            Map.entry("SparkKubernetesClientFactorySuite", 12),
            Map.entry("VolcanoFeatureStepSuite", 5),
            Map.entry("PodTemplateConfigMapStepSuite", 3),
            Map.entry("HadoopConfDriverFeatureStepSuite", 2),
            Map.entry("KerberosConfDriverFeatureStepSuite", 7),
            Map.entry("BasicTestsSuite", 15),
            Map.entry("DepsTestsSuite", 6),
            Map.entry("VolumeSuite", 6),
            Map.entry("DecommissionSuite", 5),
            Map.entry("PodTemplateSuite", 2),
            Map.entry("PVTestsSuite", 2),
            Map.entry("SparkConfPropagateSuite", 1),
            Map.entry("SecretsTestsSuite", 1),
            Map.entry("ClientModeTestsSuite", 1),
            Map.entry("PythonTestsSuite", 3),
            Map.entry("RTestsSuite", 1),
            Map.entry("VolcanoTestsSuite", 6),
            Map.entry("KubernetesSuite", 16),
            Map.entry("DriverConfigurationStepsOrchestratorSuite", 8),
            Map.entry("ExecutorPodFactorySuite", 11),
            Map.entry("KubernetesClusterSchedulerBackendOfForkSuite", 7),
            Map.entry("KubernetesTaskSetManagerSuite", 7),
            Map.entry("KubernetesTaskSchedulerImplSuite", 5),
            Map.entry("StagedResourcesCleanerSuite", 4),
            Map.entry("StagedResourcesStoreSuite", 3),
            Map.entry("HadoopResolversSuite", 12));

    /** Numbers of tests of Spark's suites, by page and suite. */
    private static final Map<String, Map<String, Integer>> PAGES = Map.of(
            "docs/suites-kubernetes.md",
            KUBERNETES,
            "docs/suites-launcher.md",
            Map.of(
                    "LauncherServerSuite", 6,
                    "ChildProcAppHandleSuite", 11,
                    "CommandBuilderUtilsSuite", 6,
                    "InProcessLauncherSuite", 3,
                    "SparkClassCommandBuilderSuite", 1,
                    "SparkLauncherSuite", 6,
                    "LauncherBackendSuite", 1),
            "docs/suites-submit.md",
            Map.of(
                    "SparkSubmitSuite", 63,
                    "SparkSubmitOptionParserSuite", 4,
                    "SparkSubmitCommandBuilderSuite", 19),
            "docs/suites-yarn.md",
            Map.ofEntries(
                    Map.entry("YarnAllocatorSuite", 26),
                    Map.entry("YarnAllocatorHealthTrackerSuite", 5),
                    Map.entry("ContainerPlacementStrategySuite", 6),
                    Map.entry("LocalityPlacementStrategySuite", 1),
                    Map.entry("ExecutorFailureTrackerSuite", 2),
                    Map.entry("YarnSchedulerBackendSuite", 2),
                    Map.entry("ClientSuite", 37),
                    Map.entry("ClientDistributedCacheManagerSuite", 8),
                    Map.entry("ResourceRequestHelperSuite", 8),
                    Map.entry("ExecutorRunnableSuite", 7),
                    Map.entry("ApplicationMasterSuite", 1),
                    Map.entry("AmIpFilterSuite", 4),
                    Map.entry("YarnProxyRedirectFilterSuite", 1),
                    Map.entry("YarnClusterSuite", 30),
                    Map.entry("YarnSparkHadoopUtilSuite", 6),
                    Map.entry("SparkHadoopUtilSuite", 9),
                    Map.entry("HadoopFSDelegationTokenProviderSuite", 1),
                    Map.entry("HadoopDelegationTokenManagerSuite", 4)),
            "docs/suites-hadoop.md",
            Map.ofEntries(
                    Map.entry("FileSuite", 36),
                    Map.entry("InputOutputMetricsSuite", 17),
                    Map.entry("PairRDDFunctionsSuite", 7),
                    Map.entry("SparkHadoopWriterUtilsSuite", 4),
                    Map.entry("HadoopFSUtilsSuite", 6),
                    Map.entry("CheckpointSuite", 27),
                    Map.entry("CheckpointStorageSuite", 5),
                    Map.entry("EventLogFileWritersSuite", 3),
                    Map.entry("SingleEventLogFileWriterSuite", 2),
                    Map.entry("RollingEventLogFilesWriterSuite", 4),
                    Map.entry("JavaAPISuite", 7)),
            "docs/suites-standalone.md",
            Map.ofEntries(
                    Map.entry("MasterSuite", 28),
                    Map.entry("WorkerSelectionSuite", 10),
                    Map.entry("RecoverySuite", 14),
                    Map.entry("StandaloneDynamicAllocationSuite", 11),
                    Map.entry("DecommissionWorkerSuite", 4),
                    Map.entry("MasterDecommissionSuite", 4),
                    Map.entry("WorkerSuite", 18),
                    Map.entry("DriverRunnerTest", 9),
                    Map.entry("JsonProtocolSuite", 11),
                    Map.entry("AppClientSuite", 3),
                    Map.entry("ExternalShuffleServiceSuite", 5),
                    Map.entry("ExternalShuffleServiceDbSuite", 2),
                    Map.entry("ExternalShuffleServiceMetricsSuite", 1)),
            "docs/suites-profiles.md",
            Map.of(
                    "ResourceProfileSuite", 19,
                    "ResourceProfileManagerSuite", 9,
                    "ExecutorResourceInfoSuite", 7,
                    "DAGSchedulerSuite", 9,
                    "ExecutorAllocationManagerSuite", 4,
                    "TaskSchedulerImplSuite", 9),
            "docs/suites-packages.md",
            Map.of(
                    "MavenUtilsSuite", 17,
                    "DependencyUtilsSuite", 1));

    private static final List<String> MARKS = List.of("taken", "turned", "dropped");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)\\n((?:.*\\|\\n)+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| (taken|turned|dropped) \\| (.+) \\|$");
    private static final Pattern SEVERAL = Pattern.compile(" \\((\\d+) tests\\)$");
    private static final Pattern COUNTS =
            Pattern.compile("(?m)^\\| (\\w+(?:Suite|Test)) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$");

    @Test
    void everyTestOfSparkHasItsRow() {
        List<String> problems = new ArrayList<>();
        Map<String, String> sources = CoveragePageTest.sources();
        PAGES.forEach((page, tests) -> problems.addAll(problems(Document.read(page), tests, sources)));
        Findings.expectNone(problems);
    }

    @Test
    void findsWhatIsWrong() {
        assertEquals(
                List.of(
                        "ASuite: 4 rows (expected: 2)",
                        "a: `HereTest.gone` (expected: a test of the tree)",
                        "b: no reason (expected: one before the tests)",
                        "c (2 tests): `HereTest.works` (expected: no test, as it is dropped)",
                        "ASuite: counts [2, 1, 1, 0] (expected: [4, 1, 1, 2])",
                        "BSuite: not on the page (expected: its rows)"),
                problems(
                        """
                        | ASuite | 2 | 1 | 1 | 0 |
                        ## ASuite
                        | test | row | here |
                        | a | taken | `HereTest.gone` |
                        | b | turned | `HereTest.works` |
                        | c (2 tests) | dropped | as `HereTest.works` |
                        """,
                        new LinkedHashMap<>(Map.of("ASuite", 2, "BSuite", 1)),
                        Map.of("HereTest", "void works() {}")));
    }

    private static List<String> problems(String page, Map<String, Integer> tests, Map<String, String> sources) {
        List<String> problems = new ArrayList<>();
        Map<String, List<Integer>> found = new LinkedHashMap<>();
        for (Matcher section = SECTION.matcher(page); section.find(); ) {
            String suite = section.group(1);
            List<Matcher> rows = new ArrayList<>();
            List<Integer> counts = new ArrayList<>(List.of(0, 0, 0, 0));
            for (Matcher row = ROW.matcher(section.group(2)); row.find(); ) {
                int mark = MARKS.indexOf(row.group(2)) + 1;
                int weight = weight(row.group(1));
                counts.set(0, counts.get(0) + weight);
                counts.set(mark, counts.get(mark) + weight);
                rows.add(ROW.matcher(row.group()));
            }
            if (!counts.get(0).equals(tests.get(suite))) {
                problems.add(suite + ": " + counts.get(0) + " rows (expected: " + tests.get(suite) + ")");
            }
            rows.forEach(row -> check(row, sources, problems));
            found.put(suite, counts);
        }
        for (Matcher counts = COUNTS.matcher(page); counts.find(); ) {
            List<Integer> said = List.of(number(counts, 2), number(counts, 3), number(counts, 4), number(counts, 5));
            List<Integer> rows = found.get(counts.group(1));
            if (!said.equals(rows)) {
                problems.add(counts.group(1) + ": counts " + said + " (expected: " + rows + ")");
            }
        }
        tests.keySet().stream()
                .filter(suite -> !found.containsKey(suite))
                .sorted()
                .forEach(suite -> problems.add(suite + ": not on the page (expected: its rows)"));
        return problems;
    }

    /** Number of tests of Spark for which a row stands. */
    private static int weight(String row) {
        Matcher several = SEVERAL.matcher(row);
        return several.find() ? Integer.parseInt(several.group(1)) : 1;
    }

    private static int number(Matcher counts, int group) {
        return Integer.parseInt(counts.group(group));
    }

    private static void check(Matcher row, Map<String, String> sources, List<String> problems) {
        row.find();
        String test = row.group(1);
        String mark = row.group(2);
        String here = row.group(3);
        boolean named = false;
        for (Matcher name = CoveragePageTest.NAME.matcher(here); name.find(); ) {
            named = true;
            String source = sources.get(name.group(1));
            if (mark.equals("dropped")) {
                problems.add(test + ": " + name.group() + " (expected: no test, as it is dropped)");
            } else if (source == null || (name.group(2) != null && !source.contains(" " + name.group(2) + "("))) {
                problems.add(test + ": " + name.group() + " (expected: a test of the tree)");
            }
        }
        if (!named && !mark.equals("dropped")) {
            problems.add(test + ": no test (expected: one)");
        }
        if (mark.equals("turned") && here.startsWith("`")) {
            problems.add(test + ": no reason (expected: one before the tests)");
        }
    }
}
