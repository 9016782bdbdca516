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
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.pod.DriverContent.CarriedFile;
import dev.hearth.kubernetes.internal.submission.DriverFixtures;
import dev.hearth.spi.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of submissions by their settings: the scenarios of Spark's suites of feature steps for drivers, as tables. */
class DriverObjectsTest {
    private static final String SHA = "ab".repeat(32);
    private static final DriverContent CONTENT = new DriverContent(
            "orders", "instructions", List.of(new CarriedFile(SHA, "a.jar", Bytes.owning(new byte[] {1}))), Map.of());

    private static JsonNode tree(ApiObject object) {
        try {
            return new ObjectMapper().readTree(object.json());
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static DriverObjects objects(String name, DriverContent content, Map<String, String> given) {
        return new DriverObjects(
                DriverObjects.identity(name, DriverFixtures.random(0x1234), "ada", "1.0"),
                DriverFixtures.settings(given),
                content,
                Map.of("SPARK_X", "carried"),
                new DriverObjects.Ports(7078, 0));
    }

    private static JsonNode pod(Map<String, String> given) {
        return tree(objects("pi", CONTENT, given).pod());
    }

    private static JsonNode container(JsonNode pod) {
        return pod.path("spec").path("containers").path(0);
    }

    private static String variable(JsonNode pod, String name) {
        for (JsonNode variable : container(pod).path("env")) {
            if (variable.path("name").asText().equals(name)) {
                return variable.path("value").asText(variable.path("valueFrom").toString());
            }
        }
        return "missing";
    }

    /** A setting, the pointer to a field of the driver's pod, and the value there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hearth.kubernetes.container.image | r/h:2 | /spec/containers/0/image | r/h:2",
                "spark.kubernetes.driver.container.image | r/d:3 | /spec/containers/0/image | r/d:3",
                "spark.kubernetes.container.image.pullPolicy | Always | /spec/containers/0/imagePullPolicy | Always",
                "spark.kubernetes.container.image.pullSecrets | a,b | /spec/imagePullSecrets/1/name | b",
                "spark.kubernetes.driver.pod.name | mine | /metadata/name | mine",
                "spark.kubernetes.driver.label.team | blue | /metadata/labels/team | blue",
                "spark.kubernetes.driver.annotation.x/y | z | /metadata/annotations/x~1y | z",
                "spark.kubernetes.driver.annotation.karpenter.sh/do-not-disrupt | false"
                        + " | /metadata/annotations/karpenter.sh~1do-not-disrupt | false",
                "spark.kubernetes.node.selector.disk | ssd | /spec/nodeSelector/disk | ssd",
                "spark.kubernetes.driver.node.selector.zone | a | /spec/nodeSelector/zone | a",
                "spark.kubernetes.scheduler.name | yunikorn | /spec/schedulerName | yunikorn",
                "spark.kubernetes.driver.scheduler.name | mine | /spec/schedulerName | mine",
                "spark.kubernetes.authenticate.driver.serviceAccountName | sa | /spec/serviceAccountName | sa",
                "spark.kubernetes.driver.request.cores | 500m | /spec/containers/0/resources/requests/cpu | 500m",
                "spark.kubernetes.driver.request.cores | 0.1 | /spec/containers/0/resources/requests/cpu | 0.1",
                "spark.driver.cores | 2 | /spec/containers/0/resources/requests/cpu | 2",
                "spark.kubernetes.driver.limit.cores | 4 | /spec/containers/0/resources/limits/cpu | 4",
                "spark.driver.memory | 1g | /spec/containers/0/resources/limits/memory | 1408Mi",
                "spark.driver.memory | 10g | /spec/containers/0/resources/requests/memory | 11264Mi",
                "spark.driver.memoryOverhead | 200m | /spec/containers/0/resources/requests/memory | 1224Mi",
                "spark.driver.memoryOverheadFactor | 0.5 | /spec/containers/0/resources/requests/memory | 1536Mi",
                "spark.kubernetes.securityContext.allowPrivilegeEscalation | true"
                        + " | /spec/containers/0/securityContext/allowPrivilegeEscalation | true",
                "spark.kubernetes.driver.securityContext.allowPrivilegeEscalation | true"
                        + " | /spec/containers/0/securityContext/allowPrivilegeEscalation | true",
                "hearth.kubernetes.driver.security | restricted"
                        + " | /spec/containers/0/securityContext/readOnlyRootFilesystem | true",
                "hearth.kubernetes.driver.security | restricted"
                        + " | /spec/containers/0/securityContext/capabilities/drop/0 | ALL",
                "spark.kubernetes.container.image | r/h:{{SPARK_VERSION}} | /spec/containers/0/image | r/h:1.0",
                "spark.driver.minMemoryOverhead | 500m | /spec/containers/0/resources/requests/memory | 1524Mi",
                "spark.driver.supervise | true | /spec/restartPolicy | OnFailure",
                "spark.driver.supervise | false | /spec/restartPolicy | Never",
            })
    void followsASetting(String key, String value, String pointer, String expected) {
        JsonNode pod = pod(Map.of(key.replace("spark.", "hearth."), value));
        assertEquals(expected, pod.at(pointer).asText(), pod::toPrettyString);
    }

    /** Settings that are refused before anything is created. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "driver.label.spark-role | x",
                "driver.label.spark-app-selector | x",
                "driver.label.hearth.dev/nonce | x",
                "driver.label.a b | x",
                "driver.label.n | {{EXECUTOR_ID}}",
                "driver.label.team | a value with blanks",
                "driver.service.label.spark-app-selector | x",
                "driver.secrets.name | relative/path",
                "driver.secretKeyRef.TOKEN | nokey",
                "driverEnv.HEARTH_X | y",
                "driver.pod.name | Upper",
                "driver.request.cores | many",
                "driver.service.ipFamilies | IPv5",
                "driver.service.ipFamilyPolicy | Both",
                "container.image.pullPolicy | Sometimes",
            })
    void refusesAMalformedSetting(String key, String value) {
        HearthException refused = assertThrows(
                HearthException.class, () -> DriverFixtures.settings(Map.of("hearth.kubernetes." + key, value)));
        assertEquals("BAD_SETTING", refused.code());
        assertTrue(
                refused.getMessage().contains(key.substring(0, key.indexOf('.') < 0 ? key.length() : key.indexOf('.'))),
                refused::getMessage);
    }

    @Test
    void refusesALimitBelowTheRequest() {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> DriverFixtures.settings(Map.of(
                        "hearth.kubernetes.driver.request.cores", "2",
                        "hearth.kubernetes.driver.limit.cores", "1500m")));
        assertTrue(refused.getMessage().contains("at least the requested cores, 2"), refused::getMessage);
    }

    @Test
    void refusesAMissingImage() {
        HearthException refused = assertThrows(
                HearthException.class, () -> DriverFixtures.settings(Map.of("hearth.kubernetes.container.image", "")));
        assertTrue(refused.getMessage().contains("the image of the driver"), refused::getMessage);
    }

    @Test
    void requestsDevices() {
        JsonNode pod = pod(
                Map.of("hearth.driver.resource.gpu.amount", "2", "hearth.driver.resource.gpu.vendor", "nvidia.com"));
        assertEquals("2", container(pod).at("/resources/limits/nvidia.com~1gpu").asText());
        HearthException refused =
                assertThrows(HearthException.class, () -> pod(Map.of("hearth.driver.resource.gpu.amount", "2")));
        assertTrue(refused.getMessage().contains("gpu.vendor"), refused::getMessage);
    }

    @Test
    void namesThePodAsSparkDoes() {
        JsonNode pod = pod(Map.of());
        assertTrue(pod.at("/metadata/name").asText().matches("pi-[0-9a-f]{16}-driver"));
        assertTrue(pod.at("/metadata/labels/spark-app-selector").asText().matches("spark-[0-9a-f]{32}"));
        assertEquals("driver", pod.at("/metadata/labels/spark-role").asText());
        assertEquals("pi", pod.at("/metadata/labels/spark-app-name").asText());
        assertEquals("1.0", pod.at("/metadata/labels/spark-version").asText());
        assertEquals(DriverObjects.CONTAINER, container(pod).path("name").asText());
        assertEquals("[\"driver\"]", container(pod).path("args").toString());
        assertTrue(container(pod).path("command").isMissingNode());
        assertFalse(pod.at("/spec/enableServiceLinks").asBoolean(true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A Very Long Name of an Application, With Dots. And Commas, Longer Than Any Label of Kubernetes May Be",
                "1",
                "...",
                "pi"
            })
    void keepsNamesShortEnough(String name) {
        DriverObjects objects = objects(name, CONTENT, Map.of());
        List<ApiObject> all = new ArrayList<>(List.of(objects.secret(), objects.pod()));
        all.addAll(objects.dependents("u"));
        for (ApiObject object : all) {
            assertTrue(object.name().matches("[a-z]([-a-z0-9]{0,61}[a-z0-9])"), object::name);
            object.labels().values().forEach(value -> assertTrue(value.length() <= 63, value));
        }
    }

    @Test
    void givesTheDriverItsEnvironment() {
        JsonNode pod = pod(Map.of(
                "hearth.driverEnv.A", "{{APP_ID}}",
                "hearth.kubernetes.driverEnv.B", "b",
                "hearth.kubernetes.driver.secretKeyRef.TOKEN", "name:key",
                "hearth.driver.extraJavaOptions", "-Dx=y"));
        assertTrue(variable(pod, "A").startsWith("spark-0000000000001234"));
        assertEquals("b", variable(pod, "B"));
        assertEquals("carried", variable(pod, "SPARK_X"));
        assertEquals("ada", variable(pod, "SPARK_USER"));
        assertEquals("{\"secretKeyRef\":{\"name\":\"name\",\"key\":\"key\"}}", variable(pod, "TOKEN"));
        assertTrue(variable(pod, "SPARK_DRIVER_POD_IP").contains("status.podIP"));
        assertTrue(variable(pod, "HEARTH_POD_UID").contains("metadata.uid"));
        assertTrue(variable(pod, "HEARTH_JAVA_OPTS").startsWith("-Xmx1024m "));
        assertTrue(variable(pod, "HEARTH_JAVA_OPTS").endsWith(" -Dx=y"));
    }

    @Test
    void mountsWhatTheSecretCarries() {
        JsonNode pod = pod(Map.of("hearth.kubernetes.driver.secrets.keys", "/keys"));
        String mounts = container(pod).path("volumeMounts").toString();
        assertTrue(mounts.contains("\"mountPath\":\"/opt/hearth/orders\",\"readOnly\":true"), mounts);
        assertTrue(mounts.contains("\"mountPath\":\"/opt/hearth/files\",\"readOnly\":true"), mounts);
        assertTrue(mounts.contains("\"mountPath\":\"/keys\",\"readOnly\":true"), mounts);
        assertFalse(mounts.contains(DriverContent.CREDENTIALS), mounts);
        String volumes = pod.at("/spec/volumes").toString();
        assertTrue(volumes.contains("{\"key\":\"" + SHA + "\",\"path\":\"" + SHA + "/a.jar\"}"), volumes);
        assertEquals(
                "/opt/hearth/files/" + SHA + "/a.jar", CONTENT.files().get(0).path());
    }

    @Test
    void putsNoSecretIntoThePod() {
        DriverContent content = new DriverContent(
                "hearth.authenticate.secret=hidden-1\n.\n",
                "proof=hidden-2\n",
                List.of(),
                Map.of("oauth-token", Bytes.owning("hidden-3".getBytes(StandardCharsets.UTF_8))));
        DriverObjects objects = objects("pi", content, Map.of());
        String others = objects.pod().json() + objects.dependents("u");
        assertFalse(others.contains("hidden"), others);
        JsonNode data = tree(objects.secret()).path("data");
        assertEquals(
                "hidden-3",
                new String(Base64.getDecoder().decode(data.path("oauth-token").asText()), StandardCharsets.UTF_8));
        assertTrue(
                container(tree(objects.pod())).path("volumeMounts").toString().contains(DriverContent.CREDENTIALS));
        assertFalse(objects.secret().toString().contains("hidden"));
        assertFalse(content.toString().contains("hidden"));
        assertFalse(ManifestText.of(objects.secret())
                .contains(data.path("oauth-token").asText()));
    }

    @Test
    void describesAHeadlessService() {
        DriverObjects objects = objects(
                "pi",
                CONTENT,
                Map.of(
                        "hearth.kubernetes.driver.service.label.a", "b",
                        "hearth.kubernetes.driver.service.annotation.c", "d",
                        "hearth.kubernetes.driver.service.ipFamilyPolicy", "PreferDualStack",
                        "hearth.kubernetes.driver.service.ipFamilies", "IPv6,IPv4"));
        ApiObject service = objects.dependents("u-7").get(0);
        assertEquals(Resource.SERVICE, service.resource());
        assertEquals(Optional.of("u-7"), service.ownerUid());
        JsonNode tree = tree(service);
        assertTrue(service.name().endsWith("-driver-svc"));
        assertEquals("None", tree.at("/spec/clusterIP").asText());
        assertTrue(tree.at("/spec/publishNotReadyAddresses").asBoolean());
        assertEquals("PreferDualStack", tree.at("/spec/ipFamilyPolicy").asText());
        assertEquals("IPv6", tree.at("/spec/ipFamilies/0").asText());
        assertEquals("b", tree.at("/metadata/labels/a").asText());
        assertEquals("d", tree.at("/metadata/annotations/c").asText());
        assertEquals("driver", tree.at("/spec/selector/spark-role").asText());
        assertEquals("driver-rpc-port", tree.at("/spec/ports/0/name").asText());
        assertEquals(7078, tree.at("/spec/ports/0/port").asInt());
        assertEquals(1, tree.at("/spec/ports").size(), "a port that is chosen at the start is not listed");
        assertEquals("Secret", tree.at("/metadata/ownerReferences/0/kind").asText());
        assertFalse(tree.at("/metadata/ownerReferences/0/blockOwnerDeletion").asBoolean(true));
    }

    @Test
    void leavesOutServiceAndPolicy() {
        DriverObjects objects = objects(
                "pi",
                CONTENT,
                Map.of("hearth.kubernetes.driver.service", "none", "hearth.kubernetes.networkPolicy", "false"));
        assertEquals(List.of(), objects.dependents("u"));
    }

    @Test
    void leavesOutTheStepsThatUsersOfSparkExclude() {
        DriverObjects objects = objects(
                "pi",
                CONTENT,
                Map.of(
                        "hearth.kubernetes.driver.pod.excludedFeatureSteps",
                        "org.apache.spark.deploy.k8s.features.DriverServiceFeatureStep,"
                                + "org.apache.spark.deploy.k8s.features.NetworkPolicyFeatureStep"));
        assertEquals(List.of(), objects.dependents("u"));
    }

    @Test
    void admitsTheApplicationAloneToExecutors() {
        ApiObject policy = objects("pi", CONTENT, Map.of()).dependents("u").get(1);
        JsonNode tree = tree(policy);
        assertEquals("networking.k8s.io/v1", tree.path("apiVersion").asText());
        assertEquals(
                "executor", tree.at("/spec/podSelector/matchLabels/spark-role").asText());
        assertEquals(
                tree.at("/spec/podSelector/matchLabels/spark-app-selector"),
                tree.at("/spec/ingress/0/from/0/podSelector/matchLabels/spark-app-selector"));
    }

    @Test
    void handsTheSecretToThePod() {
        assertEquals(
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\","
                        + "\"controller\":false,\"blockOwnerDeletion\":false}],\"labels\":{\"hearth.dev/pending\":null}}}",
                DriverObjects.adoption("p", "u"));
        assertEquals("true", objects("pi", CONTENT, Map.of()).secret().labels().get(DriverObjects.PENDING));
    }

    @Test
    void printsYaml() {
        String text =
                ManifestText.of(objects("pi", CONTENT, Map.of()).dependents("u").get(1));
        assertTrue(
                text.startsWith("---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: pi-"),
                text);
        assertTrue(text.contains("  ingress:\n  - from:\n    - podSelector:\n        matchLabels:\n"), text);
        assertTrue(
                text.contains("      spark-version: \"1.0\"\n") || text.contains("    spark-version: \"1.0\"\n"), text);
    }
}
