package dev.hearth.kubernetes.internal.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.submission.DriverFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Templates and patches of drivers, and what both kinds of files may not do. */
class PodShapeTest {
    private static final String THEIRS = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: theirs
              labels: {team: data, spark-role: theirs}
            spec:
              restartPolicy: Always
              serviceAccountName: theirs
              tolerations: [{key: gpu, operator: Exists}]
              volumes: [{name: scratch, emptyDir: {}}]
              containers:
              - name: sidecar
                image: sidecar:1
              - name: main
                image: theirs:1
                args: [theirs]
                env: [{name: MORE, value: "1"}]
                volumeMounts: [{name: scratch, mountPath: /scratch}]
            """;

    @TempDir
    Path directory;

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static JsonNode driver(Map<String, String> given) throws IOException {
        return new ObjectMapper()
                .readTree(DriverFixtures.objects(1, given).pod().json());
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asText().equals(name)) {
                return element;
            }
        }
        return list.path(-1);
    }

    @Test
    void putsTheDriversPodOverItsTemplateAndPatchesOverBoth() throws Exception {
        String patch = file("patch.json", """
                {"metadata": {"annotations": {"karpenter.sh/do-not-disrupt": null}},
                 "spec": {"dnsPolicy": "None", "containers": [{"name": "spark-kubernetes-driver", "tty": true}]}}
                """);
        JsonNode pod = driver(Map.of(
                "hearth.kubernetes.driver.podTemplateFile",
                file("template.yaml", THEIRS),
                "hearth.kubernetes.driver.podTemplateContainerName",
                "main",
                "hearth.kubernetes.driver.patchFile",
                patch));

        assertEquals("pi-0000000000000001-driver", pod.at("/metadata/name").asText());
        assertEquals("driver", pod.at("/metadata/labels/spark-role").asText());
        assertEquals("data", pod.at("/metadata/labels/team").asText());
        assertTrue(pod.at("/metadata/annotations/karpenter.sh~1do-not-disrupt").isMissingNode());
        assertEquals("Never", pod.at("/spec/restartPolicy").asText());
        assertEquals("theirs", pod.at("/spec/serviceAccountName").asText());
        assertEquals("gpu", pod.at("/spec/tolerations/0/key").asText());
        assertEquals("None", pod.at("/spec/dnsPolicy").asText());
        assertEquals(
                "sidecar:1",
                named(pod.at("/spec/containers"), "sidecar").path("image").asText());
        JsonNode own = named(pod.at("/spec/containers"), DriverObjects.CONTAINER);
        assertEquals("hearth:1", own.path("image").asText());
        assertEquals("[\"driver\"]", own.path("args").toString());
        assertTrue(own.path("tty").asBoolean());
        assertEquals("1", named(own.path("env"), "MORE").path("value").asText());
        assertEquals(
                "/scratch",
                named(own.path("volumeMounts"), "scratch").path("mountPath").asText());
        assertTrue(named(own.path("volumeMounts"), "hearth-orders").isObject());
    }

    @Test
    void takesTheFirstContainerOfATemplateIfNoneIsNamed() throws Exception {
        JsonNode pod = driver(Map.of("hearth.kubernetes.driver.podTemplateFile", file("template.yaml", THEIRS)));
        assertEquals(DriverObjects.CONTAINER, pod.at("/spec/containers/0/name").asText());
        assertEquals(
                "theirs:1",
                named(pod.at("/spec/containers"), "main").path("image").asText());
    }

    @Test
    void addsItsContainerToATemplateWithoutAny() throws Exception {
        JsonNode pod = driver(
                Map.of("hearth.kubernetes.driver.podTemplateFile", file("t.yaml", "spec: {priorityClassName: high}")));
        assertEquals("high", pod.at("/spec/priorityClassName").asText());
        assertEquals(1, pod.at("/spec/containers").size());
    }

    @Test
    void securesADriverOnRequest() throws Exception {
        String context = "/spec/containers/0/securityContext/readOnlyRootFilesystem";
        assertFalse(driver(Map.of()).at(context).asBoolean());
        assertTrue(driver(Map.of("hearth.kubernetes.driver.security", "restricted"))
                .at(context)
                .asBoolean());
    }

    /** A template in YAML, and a part of the message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Deployment | kind Deployment (expected: Pod)",
                "apiVersion: v2 | apiVersion v2 (expected: v1)",
                "spec: [] | spec of another kind (expected: an object)",
                "spec: {containers: {}} | spec.containers of another kind (expected: a list)",
                "spec: {containers: [{image: a}]} | spec.containers[0] without name",
                "spec: {containers: [{name: a}, {name: a}]} | spec.containers[1]: a second name a",
                "spec: {containers: [{name: a, env: [{value: x}]}]} | spec.containers[0].env[0] without name",
                "spec: {containers: [{name: a, volumeMounts: [{name: v}]}]} | volumeMounts[0] without mountPath",
                "spec: {initContainers: [{name: a}, {name: a}]} | spec.initContainers[1]: a second name a",
                "spec: {volumes: [{emptyDir: {}}]} | spec.volumes[0] without name",
                "metadata: {labels: {a: 1}} | metadata.labels.a: 1 (expected: a text",
                "metadata: {annotations: {a: true}} | metadata.annotations.a: true (expected: a text",
                "spec: {containers: [{name: a}, {name: spark-kubernetes-driver}]} | a second container becomes",
                "[1] | no object",
                "'' | no object",
                "spec: [ | line 1",
            })
    void refusesATemplateThatCannotBe(String template, String part) throws Exception {
        assertRefused("hearth.kubernetes.driver.podTemplateFile", file("t.yaml", template), "t.yaml", part);
    }

    /** A patch in YAML, and a part of the message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata: {name: other} | changes /metadata/name",
                "metadata: {namespace: other} | changes /metadata/namespace",
                "metadata: {labels: {spark-role: other}} | changes the label spark-role",
                "metadata: {labels: null} | removes the name or the labels",
                "metadata: null | removes the name or the labels",
                "kind: Deployment | changes /kind",
                "spec: null | of Hearth",
                "spec: {restartPolicy: Always} | changes /spec/restartPolicy",
                "spec: {containers: null} | removes the container spark-kubernetes-driver",
                "spec: {containers: [{name: spark-kubernetes-driver, args: null}]} | removes arguments",
                "spec: {containers: [{name: spark-kubernetes-driver, env: null}]} | removes arguments, variables",
                "spec: {volumes: null} | removes arguments, variables or volumes",
                "spec: {containers: [{image: a}]} | without name",
            })
    void refusesAPatchThatCannotBe(String patch, String part) throws Exception {
        String fine = file("fine.yaml", "spec: {dnsPolicy: None}");
        String given = fine + "," + file("p.yaml", patch);
        assertRefused(
                "hearth.kubernetes.driver.patchFile", given, "p.yaml", part.equals("of Hearth") ? "removes" : part);
    }

    private static void assertRefused(String key, String value, String file, String part) {
        HearthException refused =
                assertThrows(HearthException.class, () -> DriverFixtures.settings(Map.of(key, value)));
        assertTrue(refused.getMessage().contains(key), refused::getMessage);
        for (String words : List.of(file + ": ", part)) {
            assertTrue(refused.getMessage().contains(words), refused::getMessage);
        }
    }
}
