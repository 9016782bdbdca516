package dev.hearth.kubernetes.internal.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.executors.HostWishes;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationPodsTest {
    private static final String RANDOM = "0123456789abcdef0123456789abcdef";
    private static final Owner OWNER = new Owner("Secret", "pi-orders", "uid-1");

    private static ApplicationPods pods(Map<String, String> given) {
        Map<String, String> values =
                new LinkedHashMap<>(Map.of("hearth.kubernetes.container.image", "registry/hearth:1"));
        values.putAll(given);
        Settings settings = Settings.empty().with("test", values);
        PodSettings pods = PodSettings.ofExecutors(settings);
        return new ApplicationPods(
                ApplicationPods.Identity.of("My Pi", pods.namePrefix(), RANDOM, "ada", "1.0"),
                pods,
                ExecutorProfile.of(settings),
                new EndpointUri("driver-1", new RpcAddress("10.0.0.1", 7078)),
                Map.of(
                        "hearth.authenticate",
                        "true",
                        "hearth.authenticate.secret",
                        "s3cret-s3cret-s3cret",
                        "hearth.x",
                        "y"));
    }

    private static JsonNode pod(String... given) throws JsonProcessingException {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < given.length; i += 2) {
            values.put(given[i], given[i + 1]);
        }
        return tree(pods(values).pod(7, 1, OWNER, HostWishes.NONE, Map.of()));
    }

    private static JsonNode tree(ApiObject object) throws JsonProcessingException {
        return new ObjectMapper().readTree(object.json());
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asText().equals(name)) {
                return element;
            }
        }
        throw new AssertionError(name + ": missing (expected: in " + list + ")");
    }

    @Test
    void havesTheLabelsThatDashboardsSelectBy() throws Exception {
        JsonNode metadata = pod().path("metadata");

        assertEquals("my-pi-0123456789abcdef-exec-7", metadata.path("name").asText());
        assertEquals(
                "spark-" + RANDOM,
                metadata.path("labels").path("spark-app-selector").asText());
        assertEquals("executor", metadata.path("labels").path("spark-role").asText());
        assertEquals("my-pi", metadata.path("labels").path("spark-app-name").asText());
        assertEquals("7", metadata.path("labels").path("spark-exec-id").asText());
        assertEquals(
                "0",
                metadata.path("labels").path("spark-exec-resourceprofile-id").asText());
        assertEquals(
                "uid-1", metadata.path("ownerReferences").get(0).path("uid").asText());
        assertFalse(metadata.path("ownerReferences")
                .get(0)
                .path("blockOwnerDeletion")
                .asBoolean());
    }

    /** All executors have the same orders; cores, heap and requests are those of their profile. */
    @Test
    void givesExecutorsOfAProfileItsSize() throws Exception {
        ApplicationPods pods = pods(Map.of("hearth.executor.cores", "2"));
        ExecutorProfile base = ExecutorProfile.of(Settings.empty());
        JsonNode large = tree(pods.of(new ExecutorProfile(
                        new ProfileId(3),
                        OptionalInt.of(6),
                        new ContainerSize(4_096, 0, 512),
                        Map.of("gpu", new ResourceRequest("gpu", 2, List.of(), "", "nvidia.com")),
                        base.options()))
                .pod(7, 1, OWNER, HostWishes.NONE, Map.of()));
        assertEquals(
                "3", large.at("/metadata/labels/spark-exec-resourceprofile-id").asText());
        JsonNode container = large.at("/spec/containers/0");
        assertEquals("6", container.at("/resources/requests/cpu").asText());
        assertEquals("4608Mi", container.at("/resources/requests/memory").asText());
        assertEquals("2", container.at("/resources/limits/nvidia.com~1gpu").asText());
        assertEquals("6", variable(container, "SPARK_EXECUTOR_CORES"));
        assertEquals("3", variable(container, "SPARK_RESOURCE_PROFILE_ID"));
        assertTrue(variable(container, "HEARTH_JAVA_OPTS").contains("-Xmx4096m"));
        JsonNode usual = tree(pods.pod(8, 1, OWNER, HostWishes.NONE, Map.of())).at("/spec/containers/0");
        assertEquals("2", variable(usual, "SPARK_EXECUTOR_CORES"));
    }

    private static String variable(JsonNode container, String name) {
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().equals(name)) {
                return variable.path("value").asText();
            }
        }
        return "";
    }

    @Test
    void givesEachExecutorThePodThatItWouldHaveAlone() {
        List<Map<String, String>> cases = List.of(
                Map.of(),
                Map.of(
                        "hearth.kubernetes.executor.podNamePrefix",
                        "a1-b22222222222222222222222222222222222222222222222222222222222222222222.1",
                        "hearth.kubernetes.executor.label.of",
                        "e-{{EXECUTOR_ID}}",
                        "hearth.kubernetes.executor.annotation.a",
                        "{{EXECUTOR_ID}}{{EXECUTOR_ID}} of {{APP_ID}}",
                        "hearth.executor.extraJavaOptions",
                        "-Dnumber={{EXECUTOR_ID}}",
                        "hearth.executorEnv.NUMBER",
                        "1{{EXECUTOR_ID}}1"));
        for (Map<String, String> values : cases) {
            ApplicationPods all = pods(values);
            for (HostWishes hosts : List.of(HostWishes.NONE, new HostWishes(Set.of("host-1"), Map.of("host-22", 3)))) {
                for (long first : List.of(1L, 98L, 998L, 100_001L)) {
                    for (long number = first; number < first + 6; number++) {
                        assertEquals(
                                pods(values).pod(number, 2, OWNER, hosts, Map.of()),
                                all.pod(number, 2, OWNER, hosts, Map.of()));
                    }
                }
            }
        }
    }

    /** Settings and the fields of the pod that they set, as pointers of JSON. */
    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "hearth.executor.memory | 2g | /spec/containers/0/resources/limits/memory | 2432Mi",
                "hearth.executor.memory | 10g | /spec/containers/0/resources/requests/memory | 11264Mi",
                "hearth.executor.memoryOverhead | 100m | /spec/containers/0/resources/limits/memory | 1124Mi",
                "hearth.executor.cores | 3 | /spec/containers/0/resources/requests/cpu | 3",
                "hearth.kubernetes.executor.request.cores | 50m | /spec/containers/0/resources/requests/cpu | 50m",
                "hearth.kubernetes.executor.limit.cores | 2 | /spec/containers/0/resources/limits/cpu | 2",
                "hearth.kubernetes.executor.container.image | other:2 | /spec/containers/0/image | other:2",
                "hearth.kubernetes.container.image.pullPolicy | always | /spec/containers/0/imagePullPolicy | Always",
                "hearth.kubernetes.container.image.pullSecrets | a,b | /spec/imagePullSecrets/1/name | b",
                "hearth.kubernetes.executor.label.team | blue | /metadata/labels/team | blue",
                "hearth.kubernetes.executor.annotation.example.com/a | any text | /metadata/annotations/example.com~1a | any text",
                "hearth.kubernetes.node.selector.disk | ssd | /spec/nodeSelector/disk | ssd",
                "hearth.kubernetes.executor.node.selector.disk | nvme | /spec/nodeSelector/disk | nvme",
                "hearth.kubernetes.scheduler.name | yunikorn | /spec/schedulerName | yunikorn",
                "hearth.kubernetes.executor.scheduler.name | other | /spec/schedulerName | other",
                "hearth.kubernetes.authenticate.executor.serviceAccountName | reader | /spec/serviceAccountName | reader",
                "hearth.kubernetes.authenticate.executor.serviceAccountName | reader | /spec/automountServiceAccountToken | true",
                "hearth.kubernetes.executor.terminationGracePeriodSeconds | 90s | /spec/terminationGracePeriodSeconds | 90",
                "hearth.kubernetes.executor.podNamePrefix | etl | /metadata/name | etl-exec-7",
                "hearth.kubernetes.executor.podNamePrefix"
                        + " | a123456789.b123456789-c123456789-d123456789-e123456789-f123456789-g123456789 | /spec/hostname"
                        + " | 9-c123456789-d123456789-e123456789-f123456789-g123456789-exec-7",
                "hearth.kubernetes.securityContext.allowPrivilegeEscalation | true | /spec/containers/0/securityContext/allowPrivilegeEscalation | true",
                "hearth.kubernetes.local.dirs.tmpfs | true | /spec/volumes/2/emptyDir/medium | Memory",
                "hearth.kubernetes.executor.secrets.cert | /etc/cert | /spec/volumes/3/secret/secretName | cert",
                "hearth.kubernetes.executor.secrets.cert | /etc/cert | /spec/containers/0/volumeMounts/3/mountPath | /etc/cert",
                "hearth.kubernetes.executor.security | restricted | /spec/containers/0/securityContext/runAsNonRoot | true",
                "hearth.kubernetes.executor.securityContext.allowPrivilegeEscalation | true"
                        + " | /spec/containers/0/securityContext/allowPrivilegeEscalation | true",
                "hearth.executor.memoryOverheadFactor | 0.5 | /spec/containers/0/resources/limits/memory | 1536Mi",
                "hearth.executor.minMemoryOverhead | 500m | /spec/containers/0/resources/limits/memory | 1524Mi",
                "hearth.kubernetes.executor.request.cores | 0.5 | /spec/containers/0/resources/requests/cpu | 0.5",
                "hearth.blockManager.port | 0 | /spec/restartPolicy | Never",
                "hearth.app.name | x | /spec/automountServiceAccountToken | false",
                "hearth.app.name | x | /spec/enableServiceLinks | false",
                "hearth.app.name | x | /spec/containers/0/args/0 | executor",
                "hearth.app.name | x | /spec/containers/0/name | spark-kubernetes-executor",
                "hearth.app.name | x | /spec/containers/0/ports/0/containerPort | 7079",
            })
    void setsTheFieldsOfThePod(String setting, String value, String pointer, String expected) throws Exception {
        JsonNode found = pod(setting, value).at(pointer);
        assertEquals(expected, found.asText(), () -> pointer + " of " + found);
    }

    /** Texts in settings for which ids and versions stand. */
    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "hearth.kubernetes.executor.label.a | {{APP_ID}} | /metadata/labels/a | spark-0123456789abcdef0123456789abcdef",
                "hearth.kubernetes.executor.label.n | x{{EXECUTOR_ID}} | /metadata/labels/n | x7",
                "hearth.kubernetes.executor.annotation.n | {{EXECUTOR_ID}} | /metadata/annotations/n | 7",
                "hearth.kubernetes.container.image | r/h:{{HEARTH_VERSION}} | /spec/containers/0/image | r/h:1.0",
                "hearth.kubernetes.container.image | r/h:{{SPARK_VERSION}} | /spec/containers/0/image | r/h:1.0",
            })
    void fillsInIdsAndVersions(String setting, String value, String pointer, String expected) throws Exception {
        assertEquals(expected, pod(setting, value).at(pointer).asText());
    }

    @Test
    void givesUserCodeTheVariablesOfSpark() throws Exception {
        JsonNode environment = pod(
                        "hearth.executorEnv.GREETING", "hello {{EXECUTOR_ID}}",
                        "hearth.kubernetes.executor.secretKeyRef.PASSWORD", "db:password",
                        "hearth.executor.extraJavaOptions", "-Dx=1")
                .at("/spec/containers/0/env");

        assertEquals("7", named(environment, "SPARK_EXECUTOR_ID").path("value").asText());
        assertEquals(
                "spark-" + RANDOM,
                named(environment, "SPARK_APPLICATION_ID").path("value").asText());
        assertEquals(
                "status.podIP",
                named(environment, "SPARK_EXECUTOR_POD_IP")
                        .at("/valueFrom/fieldRef/fieldPath")
                        .asText());
        assertEquals(
                "password",
                named(environment, "PASSWORD").at("/valueFrom/secretKeyRef/key").asText());
        String java = named(environment, "HEARTH_JAVA_OPTS").path("value").asText();
        assertTrue(java.contains("-Xmx1024m") && java.contains("-Dx=1"), java);
        assertEquals("hello 7", named(environment, "GREETING").path("value").asText());
    }

    @Test
    void keepsSecretsInTheSecretAlone() throws Exception {
        ApplicationPods pods = pods(Map.of());
        assertFalse(pods.pod(1, 1, OWNER, HostWishes.NONE, Map.of()).json().contains("s3cret"));
        assertFalse(pods.anchor(1).toString().contains("s3cret"));

        String text = new String(
                Base64.getDecoder()
                        .decode(tree(pods.anchor(1)).at("/data/orders").asText()),
                StandardCharsets.UTF_8);
        LaunchOrders orders = LaunchOrders.read(new BufferedReader(new StringReader(text)));
        Map<String, String> variables = Map.of(
                "SPARK_EXECUTOR_ID", "7",
                "SPARK_EXECUTOR_CORES", "4",
                "HEARTH_NODE_NAME", "node-1",
                "SPARK_EXECUTOR_POD_IP", "10.1.0.5");
        Map<String, String> resolved = orders.resolved(name -> Optional.ofNullable(variables.get(name)));
        ExecutorOrders read = ExecutorOrders.from(resolved);
        assertEquals("7", read.executor().value());
        assertEquals(4, read.cores(), "executors of all profiles have the same orders");
        assertEquals("node-1", read.host());
        assertEquals("10.1.0.5", read.address());
        assertEquals("s3cret-s3cret-s3cret", resolved.get("hearth.authenticate.secret"));
        assertFalse(resolved.containsKey("hearth.x"));
    }

    @Test
    void avoidsExcludedHosts() throws Exception {
        JsonNode spec = tree(pods(Map.of())
                        .pod(1, 1, OWNER, HostWishes.of(Demand.NONE, Set.of("node-2", "node-1")), Map.of()))
                .path("spec");
        JsonNode expression = spec.at("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                + "/nodeSelectorTerms/0/matchExpressions/0");
        assertEquals("NotIn", expression.path("operator").asText());
        assertEquals("node-1", expression.path("values").get(0).asText());
    }

    @Test
    void namesAtMostFiftyExcludedHosts() throws Exception {
        Set<String> excluded = new LinkedHashSet<>();
        for (int i = 0; i < 200; i++) {
            excluded.add("node-" + i);
        }
        JsonNode spec = tree(pods(Map.of()).pod(1, 1, OWNER, HostWishes.of(Demand.NONE, excluded), Map.of()))
                .path("spec");
        assertEquals(
                HostWishes.HOSTS_MAX,
                spec.at("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                                + "/nodeSelectorTerms/0/matchExpressions/0/values")
                        .size());
    }

    @Test
    void prefersTheHostsOfPendingTasks() throws Exception {
        Map<String, Integer> tasks = new LinkedHashMap<>();
        tasks.put("node-3", 400);
        tasks.put("node-1", 100);
        tasks.put("node-2", 1);
        HostWishes hosts = HostWishes.of(Demand.of(2).preferring(500, tasks), Set.of("node-1"));
        JsonNode affinity =
                tree(pods(Map.of()).pod(1, 1, OWNER, hosts, Map.of())).at("/spec/affinity/nodeAffinity");
        JsonNode preferred = affinity.path("preferredDuringSchedulingIgnoredDuringExecution");

        assertEquals(2, preferred.size(), affinity::toPrettyString);
        assertEquals(100, preferred.at("/0/weight").asInt());
        assertEquals(
                "node-3",
                preferred.at("/0/preference/matchExpressions/0/values/0").asText());
        assertEquals(1, preferred.at("/1/weight").asInt(), "a weight of 0 would be refused");
        assertEquals(
                "node-1",
                affinity.at("/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0"
                                + "/values/0")
                        .asText());
    }

    @Test
    void requestsDevicesOfExecutors() throws Exception {
        JsonNode limits = pod(
                        "hearth.executor.resource.gpu.amount", "2",
                        "hearth.executor.resource.gpu.vendor", "nvidia.com")
                .at("/spec/containers/0/resources/limits");
        assertEquals("2", limits.path("nvidia.com/gpu").asText());

        HearthException refused =
                assertThrows(HearthException.class, () -> pods(Map.of("hearth.executor.resource.gpu.amount", "2")));
        assertTrue(refused.getMessage().contains("gpu.vendor"), refused::getMessage);
    }

    @Test
    void repeatsTheSameRequest() {
        assertEquals(
                pods(Map.of()).pod(3, 1, OWNER, HostWishes.NONE, Map.of()).json(),
                pods(Map.of()).pod(3, 1, OWNER, HostWishes.NONE, Map.of()).json());
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "hearth.kubernetes.executor.label.spark-role | driver",
                "hearth.kubernetes.executor.label.team | two words",
                "hearth.kubernetes.executor.request.cores | many",
                "hearth.kubernetes.executor.podNamePrefix | Upper",
                "hearth.kubernetes.executor.secrets.cert | relative",
                "hearth.kubernetes.executor.secretKeyRef.A | nokey",
                "hearth.kubernetes.container.image.pullPolicy | sometimes",
            })
    void refusesWhatTheClusterWouldRefuse(String setting, String value) {
        HearthException refused = assertThrows(HearthException.class, () -> pods(Map.of(setting, value)));
        assertEquals("BAD_SETTING", refused.code());
        assertTrue(refused.getMessage().contains(setting), refused.getMessage());
    }

    @Test
    void refusesMoreRequestedThanAllowedCoresAndAMissingImage() {
        assertThrows(
                HearthException.class,
                () -> pods(Map.of(
                        "hearth.kubernetes.executor.request.cores",
                        "2",
                        "hearth.kubernetes.executor.limit.cores",
                        "1500m")));
        HearthException noImage = assertThrows(HearthException.class, () -> PodSettings.ofExecutors(Settings.empty()));
        assertTrue(noImage.getMessage().contains("hearth.kubernetes.container.image"), noImage.getMessage());
    }

    @Test
    void selectsThePodsOfThisDriverAndOfEarlierOnes() {
        ApplicationPods pods = pods(Map.of());
        String application = "spark-app-selector=" + pods.application() + ",spark-role=executor";
        assertEquals(application, pods.selector());
        assertEquals(application + ",hearth.dev/nonce=" + pods.nonce(), pods.ownSelector());
        assertEquals(pods.ownSelector() + ",spark-exec-id in (3,4)", pods.selector(List.of(3L, 4L)));
        assertEquals(
                application + ",hearth.dev/nonce!=" + pods.nonce() + ",hearth.dev/epoch in (1,2)",
                pods.epochSelector(List.of(1L, 2L)),
                "a driver whose number was raised has pods with its former one");
        assertEquals(
                "5", pods.pod(1, 5, OWNER, HostWishes.NONE, Map.of()).labels().get("hearth.dev/epoch"));
    }

    @Test
    void keepsTheAnchorsOfApplicationsWithOnePrefixApart() {
        assertEquals("my-pi-0123456789abcdef-orders", pods(Map.of()).anchorName());
        assertEquals(
                "nightly-spark-" + RANDOM + "-orders",
                pods(Map.of("hearth.kubernetes.executor.podNamePrefix", "nightly"))
                        .anchorName());
    }

    @Test
    void marksAnAnchorForTheSweepUnlessAPodOwnsIt() throws Exception {
        ApplicationPods outside = pods(Map.of());
        assertTrue(outside.renews());
        assertEquals("anchor", outside.anchor(1).labels().get("hearth.dev/pending"));
        assertEquals(
                "1",
                tree(outside.anchor(1))
                        .at("/metadata/annotations/hearth.dev~1epoch")
                        .asText());

        ApplicationPods inPod = outside.ownedBy(Optional.of(new Owner("Pod", "driver", "uid-2")));
        assertFalse(inPod.renews());
        assertEquals(Optional.of("uid-2"), inPod.anchor(1).ownerUid());
        assertEquals(
                "driver",
                tree(inPod.anchor(1)).at("/metadata/ownerReferences/0/name").asText());
        assertFalse(inPod.anchor(1).labels().containsKey("hearth.dev/pending"));
    }

    @Test
    void takesAnAnchorOverWithItsOwnOrders() throws Exception {
        ApplicationPods pods = pods(Map.of());
        JsonNode patch = new ObjectMapper().readTree(pods.takeOver("17", 3));
        assertEquals("17", patch.at("/metadata/resourceVersion").asText());
        assertEquals("3", patch.at("/metadata/annotations/hearth.dev~1epoch").asText());
        assertEquals(
                pods.nonce(), patch.at("/metadata/labels/hearth.dev~1nonce").asText());
        assertEquals(tree(pods.anchor(3)).at("/data"), patch.at("/data"));
        JsonNode renewal = new ObjectMapper().readTree(pods.renewal("18", 4));
        assertEquals("18", renewal.at("/metadata/resourceVersion").asText());
        assertEquals(
                "4", renewal.at("/metadata/annotations/hearth.dev~1renewed").asText());
    }
}
