package dev.hearth.kubernetes.internal.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.kubernetes.internal.executors.HostWishes;
import dev.hearth.kubernetes.internal.submission.DriverFixtures;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Volumes, claims and local directories of both kinds of pods, from their settings to the objects: the scenarios of Spark's
 * suites about mounted volumes, about their settings, and about local directories, as tables.
 */
class PodVolumesTest {
    private static final Owner OWNER = new Owner("Pod", "pi-driver", "uid-1");
    private static final String RANDOM = "0123456789abcdef0123456789abcdef";

    private static Map<String, String> settings(String role, String given) {
        Map<String, String> values = new LinkedHashMap<>(Map.of("hearth.kubernetes.container.image", "hearth:1"));
        for (String pair : given.split(" ", -1)) {
            if (!pair.isEmpty()) {
                String key = pair.substring(0, pair.indexOf('='));
                String value = pair.substring(pair.indexOf('=') + 1);
                values.put(key.startsWith("hearth.") ? key : "hearth.kubernetes." + role + ".volumes." + key, value);
            }
        }
        return values;
    }

    private static ApplicationPods executors(String given) {
        Settings settings = Settings.empty().with("test", settings("executor", given));
        PodSettings pods = PodSettings.ofExecutors(settings);
        return new ApplicationPods(
                ApplicationPods.Identity.of("pi", pods.namePrefix(), RANDOM, "ada", "1.0"),
                pods,
                ExecutorProfile.of(settings),
                new EndpointUri("driver-1", new RpcAddress("10.0.0.1", 7078)),
                Map.of());
    }

    private static DriverObjects driver(String given) {
        return DriverFixtures.objects(1, settings("driver", given));
    }

    /** The pod of a driver, or of executor 7 with claims named after its volumes. */
    private static JsonNode pod(String role, String given) {
        if (role.equals("driver")) {
            return tree(driver(given).pod());
        }
        ApplicationPods pods = executors(given);
        Map<String, String> claims = new LinkedHashMap<>();
        pods.claims()
                .ifPresent(found -> found.specs("M").forEach(spec -> claims.put(spec.volume(), "c-" + spec.volume())));
        return tree(pods.pod(7, 1, OWNER, HostWishes.NONE, claims));
    }

    private static JsonNode tree(ApiObject object) {
        try {
            return new ObjectMapper().readTree(object.json());
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asText().equals(name)) {
                return element;
            }
        }
        return list.path(-1);
    }

    private static JsonNode volume(JsonNode pod, String name) {
        return named(pod.at("/spec/volumes"), name);
    }

    private static JsonNode mount(JsonNode pod, String name) {
        return named(pod.at("/spec/containers/0/volumeMounts"), name);
    }

    private static String localDirectories(JsonNode pod) {
        String options = named(pod.at("/spec/containers/0/env"), "HEARTH_JAVA_OPTS")
                .path("value")
                .asText();
        return options.replaceAll(".*-Dhearth\\.local\\.dir=(\\S*).*", "$1");
    }

    /** Settings of a volume v, then what the pod has as the volume and as its mount. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "driver | hostPath.v.mount.path=/m hostPath.v.options.path=/h"
                        + " | {\"hostPath\":{\"path\":\"/h\",\"type\":\"\"}} | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "executor | hostPath.v.mount.path=/m hostPath.v.options.path=/h hostPath.v.options.type=Directory"
                        + " | {\"hostPath\":{\"path\":\"/h\",\"type\":\"Directory\"}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "driver | hostPath.v.mount.path=/m hostPath.v.options.path=/h hostPath.v.options.type=DirectoryOrCreate"
                        + " | {\"hostPath\":{\"path\":\"/h\",\"type\":\"DirectoryOrCreate\"}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "driver | persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=big"
                        + " persistentVolumeClaim.v.mount.readOnly=true"
                        + " | {\"persistentVolumeClaim\":{\"claimName\":\"big\",\"readOnly\":true}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":true}",
                "executor | persistentVolumeClaim.v.mount.path=/m"
                        + " persistentVolumeClaim.v.options.claimName=pvc-spark-SPARK_EXECUTOR_ID"
                        + " | {\"persistentVolumeClaim\":{\"claimName\":\"pvc-spark-7\",\"readOnly\":false}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "executor | persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=OnDemand"
                        + " persistentVolumeClaim.v.options.sizeLimit=1Gi"
                        + " | {\"persistentVolumeClaim\":{\"claimName\":\"c-v\",\"readOnly\":false}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "driver | persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=OnDemand"
                        + " persistentVolumeClaim.v.options.sizeLimit=1Gi"
                        + " | {\"persistentVolumeClaim\":{\"claimName\":\"pi-0000000000000001-driver-pvc-0\","
                        + "\"readOnly\":false}} | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "driver | emptyDir.v.mount.path=/m emptyDir.v.options.medium=Memory emptyDir.v.options.sizeLimit=6G"
                        + " | {\"emptyDir\":{\"medium\":\"Memory\",\"sizeLimit\":\"6G\"}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false}",
                "executor | emptyDir.v.mount.path=/m emptyDir.v.mount.readOnly=true"
                        + " | {\"emptyDir\":{\"medium\":\"\"}} | {\"mountPath\":\"/m\",\"readOnly\":true}",
                "driver | nfs.v.mount.path=/m nfs.v.options.path=/share nfs.v.options.server=nfs.example.com"
                        + " | {\"nfs\":{\"server\":\"nfs.example.com\",\"path\":\"/share\",\"readOnly\":false}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false}",
            })
    void mountsAVolume(String role, String given, String volume, String mount) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode pod = pod(role, given);
        JsonNode expected = mapper.readTree(volume);
        expected.fieldNames()
                .forEachRemaining(kind ->
                        assertEquals(expected.get(kind), volume(pod, "v").get(kind)));
        JsonNode found = mount(pod, "v");
        mapper.readTree(mount).properties().forEach(field -> assertEquals(field.getValue(), found.get(field.getKey())));
        assertEquals(mapper.readTree(mount).size() + 1, found.size(), found::toString);
    }

    /** As above. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "executor | nfs.v.mount.path=/m nfs.v.options.path=/share nfs.v.options.server=n nfs.v.mount.readOnly=true"
                        + " | {\"nfs\":{\"server\":\"n\",\"path\":\"/share\",\"readOnly\":true}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":true}",
                "driver | emptyDir.v.mount.path=/m emptyDir.v.mount.subPath=foo"
                        + " | {\"emptyDir\":{\"medium\":\"\"}} | {\"mountPath\":\"/m\",\"readOnly\":false,\"subPath\":\"foo\"}",
                "executor | persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=big"
                        + " persistentVolumeClaim.v.mount.subPath=a/SPARK_EXECUTOR_ID"
                        + " | {\"persistentVolumeClaim\":{\"claimName\":\"big\",\"readOnly\":false}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false,\"subPath\":\"a/7\"}",
                "executor | emptyDir.v.mount.path=/m emptyDir.v.mount.subPathExpr=$(SPARK_EXECUTOR_POD_NAME)"
                        + " | {\"emptyDir\":{\"medium\":\"\"}}"
                        + " | {\"mountPath\":\"/m\",\"readOnly\":false,\"subPathExpr\":\"$(SPARK_EXECUTOR_POD_NAME)\"}",
            })
    void mountsAVolumeInPartOrReadOnly(String role, String given, String volume, String mount) throws Exception {
        mountsAVolume(role, given, volume, mount);
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver", "executor"})
    void mountsSeveralVolumesAndSubPathsOfOneSource(String role) {
        JsonNode pod = pod(
                role,
                "hostPath.h.mount.path=/h hostPath.h.options.path=/host persistentVolumeClaim.p.mount.path=/p"
                        + " persistentVolumeClaim.p.options.claimName=big persistentVolumeClaim.q.mount.path=/q"
                        + " persistentVolumeClaim.q.options.claimName=big persistentVolumeClaim.p.mount.subPath=a"
                        + " persistentVolumeClaim.q.mount.subPath=b");
        assertEquals("/h", mount(pod, "h").path("mountPath").asText());
        assertEquals("a", mount(pod, "p").path("subPath").asText());
        assertEquals("b", mount(pod, "q").path("subPath").asText());
        assertEquals(
                "big", volume(pod, "q").at("/persistentVolumeClaim/claimName").asText());
    }

    private static final String CLAIM = "persistentVolumeClaim.data.mount.path=/data"
            + " persistentVolumeClaim.data.options.claimName=OnDemand persistentVolumeClaim.data.options.sizeLimit=10Gi"
            + " persistentVolumeClaim.data.options.storageClass=fast persistentVolumeClaim.data.label.team=blue"
            + " persistentVolumeClaim.data.label.example.com/cost.center=7"
            + " persistentVolumeClaim.data.annotation.example.com/note=any";

    private static void assertIsTheClaim(ApiObject claim, String name, String role, String mode) {
        JsonNode tree = tree(claim);
        assertEquals(Resource.PERSISTENT_VOLUME_CLAIM, claim.resource());
        assertEquals(name, claim.name());
        assertEquals("PersistentVolumeClaim", tree.path("kind").asText());
        assertEquals("fast", tree.at("/spec/storageClassName").asText());
        assertEquals("10Gi", tree.at("/spec/resources/requests/storage").asText());
        assertEquals("[\"" + mode + "\"]", tree.at("/spec/accessModes").toString());
        assertEquals("blue", tree.at("/metadata/labels/team").asText());
        assertEquals("7", tree.at("/metadata/labels/example.com~1cost.center").asText());
        assertEquals("any", tree.at("/metadata/annotations/example.com~1note").asText());
        assertEquals(role, tree.at("/metadata/labels/spark-role").asText());
        assertTrue(tree.at("/metadata/labels/spark-app-selector").asText().startsWith("spark-"));
        assertEquals("uid-1", tree.at("/metadata/ownerReferences/0/uid").asText());
    }

    @Test
    void describesTheClaimOfAnExecutor() {
        ApplicationPods pods = executors(CLAIM);
        ExecutorClaims claims = pods.claims().orElseThrow();
        ClaimSpec spec = claims.specs("ReadWriteOncePod").get(0);
        ApiObject claim = claims.claim(3, 2, spec, OWNER);
        assertIsTheClaim(claim, "pi-0123456789abcdef-exec-pvc-3", "executor", "ReadWriteOncePod");
        assertEquals(claim.name(), claims.name(3));
        assertTrue(claims.selector().contains("spark-role=executor"), claims::selector);
        assertEquals("2", claim.labels().get(AnchorMarks.EPOCH));
    }

    @Test
    void describesTheClaimOfADriver() {
        List<ApiObject> claims = driver(CLAIM).claims("uid-1", ServerVersion.parse("1.20"));
        assertEquals(1, claims.size());
        assertIsTheClaim(claims.get(0), "pi-0000000000000001-driver-pvc-0", "driver", "ReadWriteOnce");
        assertEquals(
                "Secret",
                tree(claims.get(0)).at("/metadata/ownerReferences/0/kind").asText());
    }

    @Test
    void leavesTheClassOfAClaimToTheClusterUnlessItIsNamed() {
        String given = "persistentVolumeClaim.data.mount.path=/data"
                + " persistentVolumeClaim.data.options.claimName=OnDemand"
                + " persistentVolumeClaim.data.options.sizeLimit=10Gi";
        assertFalse(tree(driver(given).claims("u", ServerVersion.NEWEST).get(0))
                .path("spec")
                .has("storageClassName"));
        assertEquals(List.of(), driver("emptyDir.a.mount.path=/a").claims("u", ServerVersion.NEWEST));
        assertEquals(Optional.empty(), executors("emptyDir.a.mount.path=/a").claims());
    }

    /** Settings that are refused before anything is created, and a part of the message. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "emptyDir.v.mnt.path=/m | hostPath, persistentVolumeClaim, emptyDir or nfs",
                "emptyDir.v.options.medium=Memory | v.mount.path",
                "emptyDir.v.mount.path=relative | an absolute path",
                "emptyDir.v.mount.path=/m emptyDir.v.mount.subpath=x | one of mount.",
                "emptyDir.v.mount.path=/m emptyDir.v.mount.readOnly=yes | true or false",
                "emptyDir.v.mount.path=/m emptyDir.v.mount.subPath=a emptyDir.v.mount.subPathExpr=b"
                        + " | either mount.subPath or mount.subPathExpr",
                "emptyDir.v.mount.path=/m emptyDir.v.mount.subPath=/a | a relative path without ..",
                "emptyDir.v.mount.path=/m emptyDir.v.mount.subPathExpr=a/../b | a relative path without ..",
                "emptyDir.v.mount.path=/m emptyDir.v.options.path=/x | one of options.",
                "emptyDir.v.mount.path=/m emptyDir.v.options.medium=memory | Memory, HugePages",
                "emptyDir.v.mount.path=/m emptyDir.v.options.sizeLimit=5 | at least 1Ki",
                "emptyDir.v.mount.path=/m emptyDir.v.options.sizeLimit=1000 | at least 1Ki",
                "emptyDir.v.mount.path=/m emptyDir.v.options.sizeLimit=5gb | at least 1Ki",
                "emptyDir.a.mount.path=/m emptyDir.b.mount.path=/m | that no other volume has",
                "emptyDir.a.mount.path=/m nfs.a.mount.path=/n nfs.a.options.path=/s nfs.a.options.server=h"
                        + " | as no other one and not as those of Hearth",
                "emptyDir.hearth-tmp.mount.path=/m | not as those of Hearth",
                "emptyDir.v.mount.path=/opt/hearth/orders | that no other volume has",
                "emptyDir.v.mount.path=/m emptyDir.v.label.a=b | options.claimName=OnDemand",
                "emptyDir.spark-local-dir-1.mount.path=/m emptyDir.spark-local-dir-1.mount.readOnly=true"
                        + " | local directories are written to",
                "hostPath.v.mount.path=/m hostPath.v.mount.readOnly=true | v.options.path",
                "hostPath.v.mount.path=/m hostPath.v.options.path=/h hostPath.v.options.type=directory | one of [",
            })
    void refusesAVolumeOfEitherRole(String given, String part) {
        for (String role : List.of("driver", "executor")) {
            HearthException refused = assertThrows(HearthException.class, () -> pod(role, given), role);
            assertEquals("BAD_SETTING", refused.code());
            assertTrue(refused.getMessage().contains(part), refused::getMessage);
            assertTrue(refused.getMessage().contains("hearth.kubernetes." + role + ".volumes."), refused::getMessage);
        }
    }

    /** As above. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "persistentVolumeClaim.v.mount.path=/m | v.options.claimName",
                "persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=Not_A_Name"
                        + " | the name of a claim, or OnDemand",
                "persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=OnDemand"
                        + " | the size of the claims",
                "persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=OnDemand"
                        + " persistentVolumeClaim.v.options.sizeLimit=1 | at least 1Ki",
                "persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=big"
                        + " persistentVolumeClaim.v.options.sizeLimit=1Gi | no such option for a claim that exists",
                "persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=big"
                        + " persistentVolumeClaim.v.annotation.a=b | options.claimName=OnDemand",
                "persistentVolumeClaim.v.mount.path=/m persistentVolumeClaim.v.options.claimName=OnDemand"
                        + " persistentVolumeClaim.v.options.sizeLimit=1Gi persistentVolumeClaim.v.label.spark-role=x"
                        + " | that Hearth does not set itself",
                "nfs.v.mount.path=/m nfs.v.options.server=h | v.options.path",
                "nfs.v.mount.path=/m nfs.v.options.path=/s | v.options.server",
            })
    void refusesAClaimOfEitherRole(String given, String part) {
        refusesAVolumeOfEitherRole(given, part);
    }

    @Test
    void refusesTheNumberOfAnExecutorInAClaimOfTheDriver() {
        String given = "persistentVolumeClaim.v.mount.path=/m"
                + " persistentVolumeClaim.v.options.claimName=c-SPARK_EXECUTOR_ID";
        assertEquals(
                "c-7",
                volume(pod("executor", given), "v")
                        .at("/persistentVolumeClaim/claimName")
                        .asText());
        assertThrows(HearthException.class, () -> driver(given));
    }

    /** Settings, the local directories in the pod, and the volumes that hold them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | /var/data/hearth-local-0 | hearth-local-dir-1={}",
                "hearth.local.dir=/a,/b | /a,/b | hearth-local-dir-1={} hearth-local-dir-2={}",
                "hearth.kubernetes.local.dirs.tmpfs=true | /var/data/hearth-local-0"
                        + " | hearth-local-dir-1={\"medium\":\"Memory\"}",
                "hearth.kubernetes.local.dirs.tmpfs=true hearth.local.dir=/a,/b | /a,/b"
                        + " | hearth-local-dir-1={\"medium\":\"Memory\"} hearth-local-dir-2={\"medium\":\"Memory\"}",
                "hearth.local.dir=/a,/tmp | /a,/tmp | hearth-local-dir-1={} hearth-tmp={}",
                "hostPath.spark-local-dir-1.mount.path=/fast hostPath.spark-local-dir-1.options.path=/nvme"
                        + " hearth.local.dir=/a | /fast | ''",
                "emptyDir.spark-local-dir-2.mount.path=/two emptyDir.spark-local-dir-1.mount.path=/one | /one,/two | ''",
                "persistentVolumeClaim.spark-local-dir-1.mount.path=/claimed"
                        + " persistentVolumeClaim.spark-local-dir-1.options.claimName=OnDemand"
                        + " persistentVolumeClaim.spark-local-dir-1.options.sizeLimit=1Gi | /claimed | ''",
                "emptyDir.v.mount.path=/a hearth.local.dir=/a | /a | ''",
            })
    void placesLocalDirectories(String given, String directories, String volumes) {
        for (String role : List.of("driver", "executor")) {
            JsonNode pod = pod(role, given);
            assertEquals(directories, localDirectories(pod), role);
            int own = 0;
            for (String volume : volumes.isEmpty() ? List.<String>of() : List.of(volumes.split(" ", -1))) {
                String name = volume.substring(0, volume.indexOf('='));
                assertEquals(
                        volume.substring(volume.indexOf('=') + 1),
                        volume(pod, name).path("emptyDir").toString());
                own += name.startsWith("hearth-local-dir-") ? 1 : 0;
            }
            assertEquals(own, pod.toString().split("\"hearth-local-dir-", -1).length / 2, role);
        }
    }

    @Test
    void mountsAVolumeOfTheUserInPlaceOfTheTemporaryDirectory() {
        String given =
                "hostPath.spark-local-dir-test.mount.path=/tmp hostPath.spark-local-dir-test.options.path=/hostPath";
        for (String role : List.of("driver", "executor")) {
            JsonNode pod = pod(role, given);
            assertEquals("/tmp", localDirectories(pod));
            assertTrue(volume(pod, "hearth-tmp").isMissingNode());
            assertEquals(
                    "/tmp", mount(pod, "spark-local-dir-test").path("mountPath").asText());
        }
    }

    @Test
    void refusesLocalDirectoriesThatAreNoAbsolutePaths() {
        HearthException refused = assertThrows(HearthException.class, () -> pod("driver", "hearth.local.dir=a"));
        assertTrue(refused.getMessage().contains("hearth.local.dir"), refused::getMessage);
    }
}
