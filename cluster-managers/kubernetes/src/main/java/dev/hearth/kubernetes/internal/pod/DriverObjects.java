package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.placement.Placement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects of one submission in cluster mode: the secret, the driver's pod, its service, and the network policy of its
 * executors. Pure: the same arguments give the same objects, so that a request can be repeated. Immutable.
 */
public final class DriverObjects {
    /** Name of the container of a driver, as in Spark. */
    public static final String CONTAINER = "spark-kubernetes-driver";
    /** Label of a secret that no pod owns. Its value says what the sweep does with it. */
    public static final String PENDING = "hearth.dev/pending";
    /** Value of {@link #PENDING} while the driver's pod may exist or come to exist. */
    public static final String SUBMITTING = "true";
    /** Value of {@link #PENDING} once the submission is cancelled, so that a late driver's pod is deleted. */
    public static final String CANCELLED = "cancelled";
    /** Value of {@link #PENDING} of the anchor of a driver outside a pod, which renews it. */
    public static final String ANCHOR = "anchor";

    /** Environment variable with the address of the driver's pod. */
    public static final String POD_IP = "SPARK_DRIVER_POD_IP";
    /** Working directory of the driver. */
    public static final String WORK_DIRECTORY = "/opt/hearth/work";
    /** Directory with the instructions for the driver's seat. */
    public static final String INSTRUCTIONS = "/opt/hearth/submission";
    /** Variables of the driver with the name and the uid of its pod. */
    public static final String POD_NAME = "SPARK_DRIVER_POD_NAME";

    public static final String POD_UID = "HEARTH_POD_UID";

    /** Characters of the application's name in the names of its objects: with the longest suffix they are at most 63. */
    private static final int NAME_MAX = 35;

    private static final String CONTENT_VOLUME = "hearth-submission";
    private static final int READ_MODE = 0440;
    private static final Map<String, String> PROTECTION = Map.of(
            "cluster-autoscaler.kubernetes.io/safe-to-evict", "false",
            "karpenter.sh/do-not-disrupt", "true");

    private final ApplicationPods.Identity identity;
    private final DriverPodSettings settings;
    private final DriverContent content;
    private final Map<String, String> environment;
    private final Ports ports;

    /** Ports of the driver; 0 for one that is chosen at its start. */
    public record Ports(int driver, int blocks) {}

    public DriverObjects(
            ApplicationPods.Identity identity,
            DriverPodSettings settings,
            DriverContent content,
            Map<String, String> environment,
            Ports ports) {
        this.identity = identity;
        this.settings = settings;
        this.content = content;
        this.environment = environment;
        this.ports = ports;
    }

    /** Identity of the application {@code name} with the random text {@code random}, 32 hexadecimal digits. */
    public static ApplicationPods.Identity identity(String name, String random, String user, String version) {
        String prefix = PodLabels.namePrefix(name, NAME_MAX) + "-" + random.substring(0, 16);
        return ApplicationPods.Identity.of(name, Optional.of(prefix), random, user, version);
    }

    public ApplicationPods.Identity identity() {
        return identity;
    }

    public String podName() {
        return podName(identity, settings);
    }

    /** Name of the driver's pod. */
    public static String podName(ApplicationPods.Identity identity, DriverPodSettings settings) {
        return settings.podName().orElseGet(() -> identity.prefix() + "-driver");
    }

    public String secretName() {
        return secretName(identity);
    }

    /** Name of the secret of a submission. */
    public static String secretName(ApplicationPods.Identity identity) {
        return identity.prefix() + "-submission";
    }

    /** Name of the driver's service. */
    public static String serviceName(ApplicationPods.Identity identity) {
        return identity.prefix() + "-driver-svc";
    }

    /** Selector of the driver's pod. */
    public String selector() {
        return PodLabels.APPLICATION + "=" + identity.application() + "," + PodLabels.ROLE + "=driver";
    }

    /** The secret, which owns what belongs to the submission until the driver's pod owns it. */
    public ApiObject secret() {
        Map<String, String> labels = labels();
        labels.put(PENDING, SUBMITTING);
        ObjectNode secret = object("v1", "Secret").put("type", "Opaque");
        metadata(secret, secretName(), labels, Map.of());
        secret.set("data", Json.object(content.data()));
        return new ApiObject(Resource.SECRET, secretName(), labels, Optional.empty(), Json.text(secret));
    }

    /** The driver's pod. */
    public ApiObject pod() {
        Map<String, String> labels = driverLabels();
        Map<String, String> annotations = new LinkedHashMap<>(PROTECTION);
        settings.annotations().forEach((key, value) -> annotations.put(key, filled(value)));
        ObjectNode pod = object("v1", "Pod");
        metadata(pod, podName(), labels, annotations);
        pod.set("spec", spec());
        String json = Json.text(settings.additions().template().apply(pod));
        return new ApiObject(Resource.POD, podName(), labels, Optional.empty(), json);
    }

    /** The objects that the secret with the uid {@code owner} owns. The driver runs without them. */
    public List<ApiObject> dependents(String owner) {
        List<ApiObject> dependents = new ArrayList<>();
        if (settings.service().exists()) {
            dependents.add(service(owner));
        }
        if (settings.networkPolicy()) {
            dependents.add(policy(owner));
        }
        return dependents;
    }

    /**
     * The claims of the volumes of the driver's pod, which the secret with the uid {@code owner} owns, on a server of
     * version {@code version}. They exist before the pod.
     */
    public List<ApiObject> claims(String owner, ServerVersion version) {
        Map<String, String> labels = labels();
        labels.put(PodLabels.ROLE, "driver");
        return settings.additions().claims(settings.claims().mode(version)).stream()
                .map(spec -> ClaimObjects.claim(
                        claimNames().getOrDefault(spec.volume(), ""),
                        spec,
                        labels,
                        new Owner("Secret", secretName(), owner)))
                .toList();
    }

    /** Names of the claims on demand, by volume; numbered as Spark does. */
    private Map<String, String> claimNames() {
        Map<String, String> names = new LinkedHashMap<>();
        settings.additions()
                .claims("")
                .forEach(spec -> names.put(spec.volume(), identity.prefix() + "-driver-pvc-" + names.size()));
        return names;
    }

    /** Merge patch by which the driver's pod with the uid {@code pod} becomes the owner of the secret. */
    public static String adoption(String podName, String pod) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.putArray("ownerReferences").add(ApplicationPods.owner(new Owner("Pod", podName, pod)));
        metadata.putObject("labels").putNull(PENDING);
        return Json.text(patch);
    }

    /** Merge patch that sets an annotation. */
    public static String annotation(String key, String value) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(key, value);
        return Json.text(patch);
    }

    /** Merge patch that marks the secret of a cancelled submission. */
    public static String cancellation() {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("labels").put(PENDING, CANCELLED);
        return Json.text(patch);
    }

    private ApiObject service(String owner) {
        Map<String, String> labels = new LinkedHashMap<>(settings.service().labels());
        labels.putAll(labels());
        ServiceSettings given = settings.service();
        ObjectNode service = object("v1", "Service");
        metadata(service, serviceName(identity), labels, given.annotations())
                .putArray("ownerReferences")
                .add(ApplicationPods.owner(new Owner("Secret", secretName(), owner)));
        ObjectNode spec = service.putObject("spec").put("clusterIP", "None");
        spec.put("publishNotReadyAddresses", given.publishesNotReady());
        spec.put("ipFamilyPolicy", given.familyPolicy().name());
        given.families().forEach(spec.putArray("ipFamilies")::add);
        spec.set("selector", Json.object(Map.of(PodLabels.APPLICATION, application(), PodLabels.ROLE, "driver")));
        ArrayNode list = spec.putArray("ports");
        ports().forEach((name, port) -> list.add(
                Json.named(name).put("port", port).put("targetPort", port).put("protocol", "TCP")));
        return new ApiObject(Resource.SERVICE, serviceName(identity), labels, Optional.of(owner), Json.text(service));
    }

    /** Policy that admits connections to executors from pods of the same application alone. */
    private ApiObject policy(String owner) {
        Map<String, String> labels = labels();
        String name = identity.prefix() + "-policy";
        ObjectNode policy = object("networking.k8s.io/v1", "NetworkPolicy");
        metadata(policy, name, labels, Map.of())
                .putArray("ownerReferences")
                .add(ApplicationPods.owner(new Owner("Secret", secretName(), owner)));
        ObjectNode spec = policy.putObject("spec");
        spec.putObject("podSelector")
                .set(
                        "matchLabels",
                        Json.object(Map.of(PodLabels.APPLICATION, application(), PodLabels.ROLE, "executor")));
        spec.putArray("policyTypes").add("Ingress");
        spec.putArray("ingress")
                .addObject()
                .putArray("from")
                .addObject()
                .putObject("podSelector")
                .set("matchLabels", Json.object(Map.of(PodLabels.APPLICATION, application())));
        return new ApiObject(Resource.NETWORK_POLICY, name, labels, Optional.of(owner), Json.text(policy));
    }

    private ObjectNode spec() {
        ObjectNode spec = Json.object();
        spec.put("restartPolicy", settings.supervise() ? "OnFailure" : "Never");
        spec.put("hostname", ApplicationPods.hostName(podName()));
        spec.put("enableServiceLinks", false);
        spec.putObject("securityContext").put("fsGroup", ApplicationPods.GROUP); // so that the user reads the secret
        settings.serviceAccount().ifPresent(name -> spec.put("serviceAccountName", name));
        settings.scheduler().ifPresent(name -> spec.put("schedulerName", name));
        if (!settings.nodeSelector().isEmpty()) {
            spec.set("nodeSelector", Json.object(settings.nodeSelector()));
        }
        if (!settings.pullSecrets().isEmpty()) {
            ArrayNode secrets = spec.putArray("imagePullSecrets");
            settings.pullSecrets().forEach(name -> secrets.add(Json.named(name)));
        }
        spec.putArray("containers").add(container());
        spec.set("volumes", volumes());
        return spec;
    }

    private ObjectNode container() {
        ObjectNode container = Json.named(CONTAINER)
                .put("image", PodLabels.image(settings.image(), identity.version()))
                .put("imagePullPolicy", settings.pullPolicy().name())
                .put("workingDir", WORK_DIRECTORY)
                .put("terminationMessagePolicy", "FallbackToLogsOnError");
        container.putArray("args").add("driver");
        ArrayNode list = container.putArray("ports");
        ports().forEach((name, port) ->
                list.add(Json.named(name).put("containerPort", port).put("protocol", "TCP")));
        container.set("env", variables());
        ObjectNode resources = container.putObject("resources");
        String memory = settings.memory().total() + "Mi";
        resources.putObject("requests").put("cpu", settings.requestCores()).put("memory", memory);
        ObjectNode limits = resources.putObject("limits").put("memory", memory);
        settings.limitCores().ifPresent(cores -> limits.put("cpu", cores));
        settings.devices().forEach((name, amount) -> limits.put(name, String.valueOf(amount)));
        ObjectNode security = container.putObject("securityContext");
        security.put("allowPrivilegeEscalation", settings.privilegeEscalation());
        settings.additions().secure(security);
        ArrayNode mounts = container.putArray("volumeMounts");
        mounts.add(readOnly("hearth-orders", ApplicationPods.ORDERS));
        mounts.add(readOnly(CONTENT_VOLUME, INSTRUCTIONS));
        if (!content.files().isEmpty()) {
            mounts.add(readOnly("hearth-files", DriverContent.FILES));
        }
        if (!content.credentials().isEmpty()) {
            mounts.add(readOnly("kubernetes-credentials", DriverContent.CREDENTIALS));
        }
        mounts.add(ApplicationPods.mount("hearth-work", WORK_DIRECTORY));
        settings.additions().addMounts(mounts, "");
        settings.secrets().forEach((name, path) -> mounts.add(readOnly(ApplicationPods.secretVolume(name), path)));
        return container;
    }

    private ArrayNode variables() {
        Map<String, String> values = new LinkedHashMap<>(environment);
        settings.options().environment().forEach((name, value) -> values.put(name, filled(value)));
        settings.variables().forEach((name, value) -> values.put(name, filled(value)));
        List<String> java = new ArrayList<>(List.of(
                "-Xmx" + settings.memory().heapMebibytes() + "m",
                ApplicationPods.firstHeap(settings.memory()),
                "-XX:ActiveProcessorCount=" + settings.cores(),
                "-Dhearth.local.dir=" + settings.additions().local().text(),
                "-Duser.name=" + identity.user()));
        java.addAll(settings.options().javaOptions());
        values.put("HEARTH_ORDERS", ApplicationPods.ORDERS);
        values.put("HEARTH_JAVA_OPTS", String.join(" ", java));
        values.put("HEARTH_TMPDIR", ApplicationPods.TEMPORARY_DIRECTORY);
        values.put("HOME", ApplicationPods.TEMPORARY_DIRECTORY);
        values.put("SPARK_APPLICATION_ID", application());
        values.put("SPARK_USER", identity.user());
        if (!settings.options().libraryPath().isEmpty()) {
            values.put("LD_LIBRARY_PATH", settings.options().libraryPath());
        }
        ArrayNode list = Json.array();
        values.forEach((name, value) -> list.add(Json.named(name).put("value", value)));
        list.add(ApplicationPods.field(POD_IP, "status.podIP"));
        list.add(ApplicationPods.field(POD_NAME, "metadata.name"));
        list.add(ApplicationPods.field(POD_UID, "metadata.uid"));
        settings.secretVariables().forEach((name, reference) -> {
            String[] parts = reference.split(":", 2);
            ObjectNode variable = Json.named(name);
            variable.putObject("valueFrom")
                    .putObject("secretKeyRef")
                    .put("name", parts[0])
                    .put("key", parts[1]);
            list.add(variable);
        });
        return list;
    }

    private ArrayNode volumes() {
        ArrayNode volumes = Json.array();
        volumes.add(ofSecret("hearth-orders", Map.of(DriverContent.ORDERS_KEY, DriverContent.ORDERS_KEY)));
        volumes.add(ofSecret(CONTENT_VOLUME, Map.of(DriverContent.INSTRUCTIONS_KEY, DriverContent.INSTRUCTIONS_KEY)));
        if (!content.files().isEmpty()) {
            Map<String, String> paths =
                    new LinkedHashMap<>(); // keys by paths, as files of one content have several names
            content.files().forEach(file -> paths.put(file.sha256() + "/" + file.name(), file.sha256()));
            volumes.add(ofSecret("hearth-files", paths));
        }
        if (!content.credentials().isEmpty()) {
            Map<String, String> paths = new LinkedHashMap<>();
            content.credentials().keySet().forEach(name -> paths.put(name, name));
            volumes.add(ofSecret("kubernetes-credentials", paths));
        }
        ObjectNode work = Json.named("hearth-work");
        work.putObject("emptyDir");
        volumes.add(work);
        settings.additions().addVolumes(volumes, "", claimNames());
        settings.secrets().keySet().forEach(name -> {
            ObjectNode secret = Json.named(ApplicationPods.secretVolume(name));
            secret.putObject("secret").put("secretName", name);
            volumes.add(secret);
        });
        return volumes;
    }

    /** Volume with parts of the secret of the submission: {@code keys} by the paths of their files. */
    private ObjectNode ofSecret(String volume, Map<String, String> keys) {
        ObjectNode named = Json.named(volume);
        ObjectNode secret = named.putObject("secret").put("secretName", secretName());
        secret.put("defaultMode", READ_MODE);
        ArrayNode items = secret.putArray("items");
        keys.forEach((path, key) -> items.addObject().put("key", key).put("path", path));
        return named;
    }

    /** The ports that are known before the start of the driver, by the names that Spark has. */
    private Map<String, Integer> ports() {
        Map<String, Integer> known = new LinkedHashMap<>();
        known.put("driver-rpc-port", ports.driver());
        known.put("blockmanager", ports.blocks());
        known.values().removeIf(port -> port == 0);
        return known;
    }

    private Map<String, String> driverLabels() {
        Map<String, String> labels = new LinkedHashMap<>();
        settings.labels().forEach((key, value) -> labels.put(key, filled(value)));
        labels.putAll(labels());
        labels.put(PodLabels.ROLE, "driver");
        return labels;
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(PodLabels.APPLICATION, application());
        labels.put(PodLabels.APPLICATION_NAME, PodLabels.value(identity.name()));
        labels.put(PodLabels.VERSION, identity.version());
        labels.put(Placement.NONCE, identity.nonce());
        return labels;
    }

    private String application() {
        return identity.application().value();
    }

    private String filled(String value) {
        return value.replace(PodLabels.APPLICATION_ID, application());
    }

    private static ObjectNode readOnly(String volume, String path) {
        return ApplicationPods.mount(volume, path).put("readOnly", true);
    }

    private static ObjectNode object(String version, String kind) {
        return Json.object().put("apiVersion", version).put("kind", kind);
    }

    private static ObjectNode metadata(
            ObjectNode object, String name, Map<String, String> labels, Map<String, String> annotations) {
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        metadata.set("labels", Json.object(labels));
        if (!annotations.isEmpty()) {
            metadata.set("annotations", Json.object(annotations));
        }
        return metadata;
    }
}
