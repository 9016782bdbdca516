package dev.hearth.kubernetes.internal.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.executors.HostWishes;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes, templates, patches and the command before the end: from settings to the pod that is sent. */
class PodAdditionsTest {
    private static final String VOLUMES = "hearth.kubernetes.executor.volumes.";
    private static final String TEMPLATE = "hearth.kubernetes.executor.podTemplateFile";
    private static final String CONTAINER = "hearth.kubernetes.executor.podTemplateContainerName";
    private static final String PATCHES = "hearth.kubernetes.executor.patchFile";

    private static final String THEIRS = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: theirs
              labels: {team: data, spark-role: theirs}
            spec:
              restartPolicy: Always
              priorityClassName: high
              newFieldOfKubernetes: {a: [1, 2]}
              tolerations: [{key: gpu, operator: Exists}]
              nodeSelector: {disk: ssd}
              securityContext: {fsGroup: 1000, runAsNonRoot: true}
              volumes: [{name: scratch, emptyDir: {}}]
              containers:
              - name: sidecar
                image: sidecar:1
              - name: main
                image: theirs:1
                args: [theirs]
                env: [{name: HOME, value: /theirs}, {name: MORE, value: "1"}]
                resources: {limits: {memory: 1Mi, example.com/gpu: 1}}
                securityContext: {runAsUser: 1000}
                volumeMounts: [{name: scratch, mountPath: /scratch}]
            """;

    @TempDir
    Path directory;

    private static Map<String, String> settings(String... given) {
        Map<String, String> values =
                new LinkedHashMap<>(Map.of("hearth.kubernetes.container.image", "registry/hearth:1"));
        for (int i = 0; i < given.length; i += 2) {
            values.put(given[i], given[i + 1]);
        }
        return values;
    }

    private static JsonNode pod(Set<String> excluded, String... given) throws JsonProcessingException {
        Settings settings = Settings.empty().with("test", settings(given));
        PodSettings pods = PodSettings.ofExecutors(settings);
        ApplicationPods application = new ApplicationPods(
                ApplicationPods.Identity.of("pi", pods.namePrefix(), "0123456789abcdef0123456789abcdef", "ada", "1.0"),
                pods,
                ExecutorProfile.of(settings),
                new EndpointUri("driver-1", new RpcAddress("10.0.0.1", 7078)),
                Map.of("hearth.authenticate", "true", "hearth.authenticate.secret", "s3cret-s3cret-s3cret"));
        String json = application
                .pod(7, 1, new Owner("Secret", "pi-orders", "uid-1"), new HostWishes(excluded, Map.of()), Map.of())
                .json();
        return new ObjectMapper().readTree(json);
    }

    private static JsonNode pod(String... given) throws JsonProcessingException {
        return pod(Set.of(), given);
    }

    private static String refusal(String... given) {
        Settings settings = Settings.empty().with("test", settings(given));
        return assertThrows(HearthException.class, () -> PodSettings.ofExecutors(settings))
                .getMessage();
    }

    private static JsonNode element(JsonNode list, String key, String value) {
        for (JsonNode element : list) {
            if (element.path(key).asText().equals(value)) {
                return element;
            }
        }
        throw new AssertionError(key + " " + value + ": missing (expected: in " + list + ")");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "hostPath | path=/data type=Directory | {\"path\":\"/data\",\"type\":\"Directory\"}",
                "hostPath | path=/data | {\"path\":\"/data\",\"type\":\"\"}",
                "persistentVolumeClaim | claimName=big | {\"claimName\":\"big\",\"readOnly\":true}",
                "persistentVolumeClaim | claimName=c-SPARK_EXECUTOR_ID | {\"claimName\":\"c-7\",\"readOnly\":true}",
                "emptyDir | medium=Memory sizeLimit=1Gi | {\"medium\":\"Memory\",\"sizeLimit\":\"1Gi\"}",
                "emptyDir | medium= | {\"medium\":\"\"}",
                "nfs | server=n.example path=/a | {\"server\":\"n.example\",\"path\":\"/a\",\"readOnly\":true}"
            })
    void mountsVolumesOfAllKinds(String kind, String options, String source) throws Exception {
        List<String> given = new ArrayList<>(
                List.of(VOLUMES + kind + ".one.mount.path", "/one", VOLUMES + kind + ".one.mount.readOnly", "true"));
        for (String option : options.split(" ", -1)) {
            given.add(VOLUMES + kind + ".one.options." + option.substring(0, option.indexOf('=')));
            given.add(option.substring(option.indexOf('=') + 1));
        }
        JsonNode pod = pod(given.toArray(new String[0]));

        JsonNode volume = element(pod.at("/spec/volumes"), "name", "one");
        assertEquals(new ObjectMapper().readTree(source), volume.get(kind));
        JsonNode mount = element(pod.at("/spec/containers/0/volumeMounts"), "mountPath", "/one");
        assertEquals("one", mount.path("name").asText());
        assertTrue(mount.path("readOnly").asBoolean());
    }

    @Test
    void takesLocalDirectoriesFromTheirVolumes() throws Exception {
        JsonNode pod = pod(
                VOLUMES + "hostPath.spark-local-dir-1.mount.path", "/fast/1",
                VOLUMES + "hostPath.spark-local-dir-1.options.path", "/nvme1",
                VOLUMES + "emptyDir.spark-local-dir-2.mount.path", "/fast/2",
                VOLUMES + "emptyDir.spark-local-dir-2.mount.subPathExpr", "$(SPARK_EXECUTOR_POD_NAME)");

        String options = element(pod.at("/spec/containers/0/env"), "name", "HEARTH_JAVA_OPTS")
                .path("value")
                .asText();
        assertTrue(options.contains("-Dhearth.local.dir=/fast/1,/fast/2 "), options);
        assertFalse(pod.at("/spec/volumes").toString().contains("hearth-local-dir-1"));
        assertEquals(
                "$(SPARK_EXECUTOR_POD_NAME)",
                element(pod.at("/spec/containers/0/volumeMounts"), "mountPath", "/fast/2")
                        .path("subPathExpr")
                        .asText());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "hostPath.a.options.path | /d | an absolute path",
                "nfs.a.mount.path | /m | options.path:  (expected: a value)",
                "hostPath.a.options.server | s | one of options.",
                "persistentVolumeClaim.a.options.claimName | OnDemand | the size of the claims that are created",
                "persistentVolumeClaim.a.options.claimName | onDemand | the name of a claim, or OnDemand",
                "persistentVolumeClaim.a.options.storageClass | fast | OnDemand creates claims",
                "emptyDir.a.options.sizeLimit | 1000 | at least 1Ki",
                "emptyDir.A_b.mount.path | /m | named by small letters",
                "rbd.a.mount.path | /m | hostPath, persistentVolumeClaim, emptyDir or nfs"
            })
    void refusesVolumesThatCannotBe(String member, String value, String rule) {
        String message = refusal(VOLUMES + member, value);
        assertTrue(message.contains(rule), message);
    }

    @Test
    void refusesTwoVolumesAtOnePathAndBothKindsOfSubPaths() {
        String message = refusal(
                VOLUMES + "emptyDir.a.mount.path", "/m",
                VOLUMES + "emptyDir.b.mount.path", "/m",
                VOLUMES + "emptyDir.b.mount.subPath", "x",
                VOLUMES + "emptyDir.b.mount.subPathExpr", "y");
        assertTrue(message.contains("b.mount.path") && message.contains("that no other volume has"), message);
        assertTrue(message.contains("either mount.subPath or mount.subPathExpr"), message);
    }

    @Test
    void putsThePodOverItsTemplate() throws Exception {
        JsonNode pod = pod(
                TEMPLATE,
                file("template.yaml", THEIRS),
                CONTAINER,
                "main",
                "hearth.kubernetes.node.selector.zone",
                "a");

        assertEquals("pi-0123456789abcdef-exec-7", pod.at("/metadata/name").asText());
        assertEquals("data", pod.at("/metadata/labels/team").asText());
        assertEquals("executor", pod.at("/metadata/labels/spark-role").asText());
        assertEquals("Never", pod.at("/spec/restartPolicy").asText());
        assertEquals("high", pod.at("/spec/priorityClassName").asText());
        assertEquals("{\"a\":[1,2]}", pod.at("/spec/newFieldOfKubernetes").toString());
        assertEquals("gpu", pod.at("/spec/tolerations/0/key").asText());
        assertEquals(
                "{\"disk\":\"ssd\",\"zone\":\"a\"}",
                pod.at("/spec/nodeSelector").toString());
        assertEquals(1000, pod.at("/spec/securityContext/fsGroup").asInt());
        assertTrue(pod.at("/spec/securityContext/runAsNonRoot").asBoolean());
    }

    @Test
    void putsItsContainerOverThatOfTheTemplate() throws Exception {
        JsonNode pod = pod(TEMPLATE, file("template.yaml", THEIRS), CONTAINER, "main");

        assertEquals(2, pod.at("/spec/containers").size());
        assertEquals(
                "sidecar:1",
                element(pod.at("/spec/containers"), "name", "sidecar")
                        .path("image")
                        .asText());
        JsonNode own = element(pod.at("/spec/containers"), "name", "spark-kubernetes-executor");
        assertEquals("registry/hearth:1", own.path("image").asText());
        assertEquals("[\"executor\"]", own.path("args").toString());
        assertEquals(
                "/tmp", element(own.path("env"), "name", "HOME").path("value").asText());
        assertEquals("1", element(own.path("env"), "name", "MORE").path("value").asText());
        assertEquals("1", own.at("/resources/limits/example.com~1gpu").asText());
        assertEquals("1408Mi", own.at("/resources/limits/memory").asText());
        assertEquals(1000, own.at("/securityContext/runAsUser").asInt());
        assertFalse(own.at("/securityContext/allowPrivilegeEscalation").asBoolean());
        assertEquals(
                "scratch",
                element(own.path("volumeMounts"), "mountPath", "/scratch")
                        .path("name")
                        .asText());
        assertEquals(
                "hearth-tmp",
                element(own.path("volumeMounts"), "mountPath", "/tmp")
                        .path("name")
                        .asText());
        element(pod.at("/spec/volumes"), "name", "scratch");
        element(pod.at("/spec/volumes"), "name", "hearth-orders");
    }

    @Test
    void keepsExcludedNodesInEachAlternativeOfATemplate() throws Exception {
        String template = file("template.yaml", """
                spec:
                  affinity:
                    podAntiAffinity: {x: 1}
                    nodeAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                        nodeSelectorTerms:
                        - matchExpressions: [{key: a, operator: Exists}]
                        - matchExpressions: [{key: b, operator: Exists}]
                """);
        JsonNode affinity = pod(Set.of("node-3"), TEMPLATE, template).at("/spec/affinity");

        assertEquals(1, affinity.at("/podAntiAffinity/x").asInt());
        JsonNode terms = affinity.at("/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
        assertEquals(2, terms.size());
        for (JsonNode term : terms) {
            assertEquals(2, term.path("matchExpressions").size());
            assertEquals("node-3", term.at("/matchExpressions/1/values/0").asText());
        }
    }

    @Test
    void putsPatchesOverThePodInTheirOrder() throws Exception {
        String one = file("one.json", "{\"spec\":{\"dnsPolicy\":\"None\",\"hostname\":null,\"priority\":1}}");
        String two = file("two.yaml", """
                spec:
                  priority: 2
                  containers:
                  - name: spark-kubernetes-executor
                    env: [{name: HOME, value: /patched}]
                """);
        JsonNode pod = pod(PATCHES, one + "," + two);

        assertEquals("None", pod.at("/spec/dnsPolicy").asText());
        assertTrue(pod.at("/spec/hostname").isMissingNode());
        assertEquals(2, pod.at("/spec/priority").asInt());
        JsonNode own = pod.at("/spec/containers/0");
        assertEquals(
                "/patched",
                element(own.path("env"), "name", "HOME").path("value").asText());
        element(own.path("env"), "name", "SPARK_EXECUTOR_ID");
    }

    @Test
    void saysWhatIsWrongWithATemplate() throws Exception {
        String twice = refusal(TEMPLATE, file("two.yaml", "spec: {}\n---\nspec: {}\n"));
        assertTrue(twice.contains("two.yaml: line 3: a second document"), twice);
        String repeated = refusal(TEMPLATE, file("dup.yaml", "spec:\n  a: 1\n  a: 2\n"));
        assertTrue(repeated.contains("dup.yaml: line 3"), repeated);
        String unused = refusal(CONTAINER, "main");
        assertTrue(unused.contains("a container of the template"), unused);
        String missing = refusal(TEMPLATE, directory.resolve("none.yaml").toString());
        assertTrue(missing.contains("none.yaml: cannot be read"), missing);
        String malformed = refusal(TEMPLATE, file("bad.yaml", "spec:\n  containers: [\n"));
        assertTrue(malformed.contains("bad.yaml: line "), malformed);
        String kind = refusal(TEMPLATE, file("kind.yaml", "kind: Deployment\n"));
        assertTrue(kind.contains("kind Deployment (expected: Pod)"), kind);
        String container = refusal(TEMPLATE, file("c.yaml", "spec: {containers: [{name: a}]}"), CONTAINER, "b");
        assertTrue(container.contains("no container b (expected: one of [a])"), container);
        String patch = refusal(PATCHES, file("p.yaml", "metadata: {name: other}"));
        assertTrue(patch.contains("changes /metadata/name"), patch);
        String label = refusal(PATCHES, file("l.yaml", "metadata: {labels: {spark-exec-id: '1'}}"));
        assertTrue(label.contains("changes the label spark-exec-id"), label);
    }

    @Test
    void waitsBeforeThePodIsEndedSoThatItsExecutorCanLeave() throws Exception {
        String hook = "/spec/containers/0/lifecycle/preStop/exec/command";
        assertEquals("[\"sleep\",\"25\"]", pod().at(hook).toString());
        String grace = "hearth.kubernetes.executor.terminationGracePeriodSeconds";
        assertTrue(pod(grace, "5s").at(hook).isMissingNode());
        assertEquals("[\"sleep\",\"115\"]", pod(grace, "2m").at(hook).toString());
        assertEquals(
                "[\"/opt/decom.sh\"]",
                pod("hearth.kubernetes.decommission.script", "/opt/decom.sh")
                        .at(hook)
                        .toString());
    }

    @Test
    void followsTheRestrictedStandardOnRequest() throws Exception {
        String context = "/spec/containers/0/securityContext";
        assertEquals("{\"allowPrivilegeEscalation\":false}", pod().at(context).toString());
        JsonNode restricted =
                pod("hearth.kubernetes.executor.security", "restricted").at(context);
        assertTrue(restricted.path("runAsNonRoot").asBoolean());
        assertTrue(restricted.path("readOnlyRootFilesystem").asBoolean());
        assertEquals("ALL", restricted.at("/capabilities/drop/0").asText());
        assertEquals("RuntimeDefault", restricted.at("/seccompProfile/type").asText());
    }

    @Test
    void allowsPrivilegesToExecutorsAlone() throws Exception {
        String escalation = "/spec/containers/0/securityContext/allowPrivilegeEscalation";
        String all = "hearth.kubernetes.securityContext.allowPrivilegeEscalation";
        String executors = "hearth.kubernetes.executor.securityContext.allowPrivilegeEscalation";
        assertTrue(pod(all, "true").at(escalation).asBoolean());
        assertFalse(pod(all, "true", executors, "false").at(escalation).asBoolean());
        assertTrue(pod(executors, "true").at(escalation).asBoolean());
    }
}
