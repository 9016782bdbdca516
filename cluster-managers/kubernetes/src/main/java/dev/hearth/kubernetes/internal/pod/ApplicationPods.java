package dev.hearth.kubernetes.internal.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.executors.ExecutorPods;
import dev.hearth.kubernetes.internal.executors.HostWishes;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.rpc.EndpointUri;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Pods of the executors of one application, and its anchor, the secret with their launch orders. Pure: the same arguments give the
 * same objects, so that a request can be repeated. Immutable.
 */
public final class ApplicationPods implements ExecutorPods {
    /** Directory of the image where executors find their launch orders. */
    static final String ORDERS = "/opt/hearth/orders";

    static final String TEMPORARY_DIRECTORY = "/tmp";
    private static final int HOST_NAME_MAX = 63;
    private static final int PREFIX_MAX = 40;
    /** Group of the user in Hearth's image, as in Spark's. */
    static final int GROUP = 185;

    private static final int BLOCKS_PORT = 7079;
    private static final int FIRST_HEAP_MEBIBYTES = 64;
    private static final String POD_IP = "SPARK_EXECUTOR_POD_IP";
    private static final String POD_NAME = "SPARK_EXECUTOR_POD_NAME";
    private static final String EXECUTOR_ID = "SPARK_EXECUTOR_ID";
    private static final String EXECUTOR_CORES = "SPARK_EXECUTOR_CORES";
    private static final String NODE = "HEARTH_NODE_NAME";

    private final Identity identity;
    private final PodSettings settings;
    private final ExecutorProfile profile;
    private final EndpointUri driver;
    private final Map<String, String> executorSettings;
    private final Optional<Owner> driverPod;
    private final PodTexts texts = new PodTexts();

    /**
     * Names of one application: its id on the cluster, the name that the user sees, the prefix of the names of its
     * objects, a random text by which its objects are recognised, the user, and the version of Hearth.
     */
    public record Identity(
            ApplicationId application, String name, String prefix, String nonce, String user, String version) {
        /** Identity of the application {@code name} with the random text {@code random}, 32 hexadecimal digits. */
        public static Identity of(
                String name, Optional<String> namePrefix, String random, String user, String version) {
            String prefix =
                    namePrefix.orElseGet(() -> PodLabels.namePrefix(name, PREFIX_MAX) + "-" + random.substring(0, 16));
            return new Identity(new ApplicationId("spark-" + random), name, prefix, random, user, version);
        }
    }

    /** Pods of a driver outside a pod, which are owned by the anchor. */
    public ApplicationPods(
            Identity identity,
            PodSettings settings,
            ExecutorProfile profile,
            EndpointUri driver,
            Map<String, String> executorSettings) {
        this(identity, settings, profile, driver, executorSettings, Optional.empty());
    }

    private ApplicationPods(
            Identity identity,
            PodSettings settings,
            ExecutorProfile profile,
            EndpointUri driver,
            Map<String, String> executorSettings,
            Optional<Owner> driverPod) {
        this.identity = identity;
        this.settings = settings;
        this.profile = profile;
        this.driver = driver;
        this.executorSettings = executorSettings;
        this.driverPod = driverPod;
    }

    /** The same pods, if there is a driver's pod owned by it, and with them the anchor. */
    public ApplicationPods ownedBy(Optional<Owner> pod) {
        return new ApplicationPods(identity, settings, profile, driver, executorSettings, pod);
    }

    /**
     * The same pods, for executors of another profile. They have the orders of all executors: what differs is in their
     * variables.
     */
    @Override
    public ExecutorPods of(ExecutorProfile other) {
        return new ApplicationPods(identity, settings, other, driver, executorSettings, driverPod);
    }

    @Override
    public ApplicationId application() {
        return identity.application();
    }

    @Override
    public boolean isOfApplication(ObjectFacts found) {
        return found.label(PodLabels.APPLICATION).equals(application().value());
    }

    @Override
    public String nonce() {
        return identity.nonce();
    }

    @Override
    public boolean isOwn(ObjectFacts pod) {
        return pod.label(Placement.NONCE).equals(identity.nonce());
    }

    @Override
    public String selector() {
        return PodLabels.APPLICATION + "=" + identity.application() + "," + PodLabels.ROLE + "=executor";
    }

    @Override
    public String ownSelector() {
        return selector() + "," + Placement.NONCE + "=" + identity.nonce();
    }

    @Override
    public String selector(Iterable<Long> executors) {
        return ownSelector() + "," + in(PodLabels.EXECUTOR, executors);
    }

    @Override
    public String epochSelector(Iterable<Long> epochs) {
        return selector() + "," + Placement.NONCE + "!=" + identity.nonce() + "," + in(AnchorMarks.EPOCH, epochs);
    }

    private static String in(String label, Iterable<Long> values) {
        StringJoiner joined = new StringJoiner(",", label + " in (", ")");
        values.forEach(value -> joined.add(String.valueOf(value)));
        return joined.toString();
    }

    @Override
    public boolean renews() {
        return driverPod.isEmpty();
    }

    @Override
    public ApiObject anchor(long epoch) {
        Map<String, String> labels = labels();
        if (renews()) {
            labels.put(DriverObjects.PENDING, DriverObjects.ANCHOR);
        }
        ObjectNode secret =
                Json.object().put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
        ObjectNode metadata = secret.putObject("metadata").put("name", anchorName());
        metadata.set("labels", Json.object(labels));
        hold(metadata, epoch);
        secret.set("data", data());
        return new ApiObject(Resource.SECRET, anchorName(), labels, driverPod.map(Owner::uid), Json.text(secret));
    }

    @Override
    public String takeOver(String version, long epoch) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata").put("resourceVersion", version);
        metadata.putObject("labels").put(Placement.NONCE, identity.nonce());
        hold(metadata, epoch);
        patch.set("data", data());
        return Json.text(patch);
    }

    private void hold(ObjectNode metadata, long epoch) {
        metadata.putObject("annotations")
                .put(AnchorMarks.EPOCH, String.valueOf(epoch))
                .put(AnchorMarks.RENEWED, "0");
        driverPod.ifPresent(pod -> metadata.putArray("ownerReferences").add(owner(pod)));
    }

    private ObjectNode data() {
        String orders = launchOrders().text();
        return Json.object().put("orders", Base64.getEncoder().encodeToString(orders.getBytes(UTF_8)));
    }

    @Override
    public String renewal(String version, long renewed) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", version)
                .putObject("annotations")
                .put(AnchorMarks.RENEWED, String.valueOf(renewed));
        return Json.text(patch);
    }

    @Override
    public String adoption(Owner owner) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putArray("ownerReferences").add(owner(owner));
        return Json.text(patch);
    }

    @Override
    public ApiObject pod(long executor, long epoch, Owner owner, HostWishes hosts, Map<String, String> claims) {
        Map<String, String> labels = labels(executor, epoch);
        String json = claims.isEmpty()
                ? texts.of(
                        List.of(epoch, owner, hosts),
                        executor,
                        number -> text(number, labels(number, epoch), owner, hosts, claims))
                : text(executor, labels, owner, hosts, claims);
        return new ApiObject(Resource.POD, podName(executor), labels, Optional.of(owner.uid()), json);
    }

    private Map<String, String> labels(long executor, long epoch) {
        Map<String, String> labels = filled(settings.labels(), executor);
        labels.putAll(labels());
        labels.put(PodLabels.ROLE, "executor");
        labels.put(PodLabels.PROFILE, String.valueOf(profile.id().value()));
        labels.put(PodLabels.EXECUTOR, String.valueOf(executor));
        labels.put(AnchorMarks.EPOCH, String.valueOf(epoch));
        return labels;
    }

    private String text(
            long executor, Map<String, String> labels, Owner owner, HostWishes hosts, Map<String, String> claims) {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("name", podName(executor));
        metadata.set("labels", Json.object(labels));
        if (!settings.annotations().isEmpty()) {
            metadata.set("annotations", Json.object(filled(settings.annotations(), executor)));
        }
        metadata.putArray("ownerReferences").add(owner(owner));
        pod.set("spec", spec(executor, hosts, claims));
        return Json.text(settings.additions().template().apply(pod));
    }

    @Override
    public Optional<ExecutorClaims> claims() {
        if (!settings.additions().hasClaims()) {
            return Optional.empty();
        }
        Map<String, String> labels = labels();
        labels.put(PodLabels.ROLE, "executor");
        return Optional.of(new ClaimObjects(settings.additions(), identity.prefix(), labels, ownSelector()));
    }

    @Override
    public String podName(long executor) {
        return identity.prefix() + "-exec-" + executor;
    }

    @Override
    public Optional<Long> executor(String label) {
        OptionalLong number = AnchorMarks.number(label);
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    @Override
    public int cores() {
        return profile.cores().orElse(1);
    }

    /** The orders of all executors; what differs comes from variables of the pods. */
    private LaunchOrders launchOrders() {
        Map<String, String> orders = ExecutorOrders.settingsToConnect(executorSettings);
        Map<String, String> own =
                new ExecutorOrders(new ExecutorId("1"), variable(NODE), cores(), driver, variable(POD_IP)).asMap();
        Set<String> marked = new LinkedHashSet<>();
        own.forEach((key, value) -> {
            boolean isId = value.equals("1") && key.endsWith(".id");
            boolean isCores = key.equals(ExecutorOrders.CORES);
            orders.put(key, isId ? variable(EXECUTOR_ID) : isCores ? variable(EXECUTOR_CORES) : value);
            if (isId || isCores || value.startsWith("${env:")) {
                marked.add(key);
            }
        });
        return new LaunchOrders(orders, marked);
    }

    private ObjectNode spec(long executor, HostWishes hosts, Map<String, String> claims) {
        ObjectNode spec = Json.object();
        spec.put("restartPolicy", "Never");
        spec.put("hostname", hostName(podName(executor)));
        spec.put("terminationGracePeriodSeconds", settings.graceSeconds());
        spec.put("enableServiceLinks", false);
        spec.putObject("securityContext").put("fsGroup", GROUP); // so that the user of the image reads the orders
        spec.put("automountServiceAccountToken", settings.serviceAccount().isPresent());
        settings.serviceAccount().ifPresent(name -> spec.put("serviceAccountName", name));
        settings.scheduler().ifPresent(name -> spec.put("schedulerName", name));
        if (!settings.nodeSelector().isEmpty()) {
            spec.set("nodeSelector", Json.object(settings.nodeSelector()));
        }
        HostAffinity.of(hosts).ifPresent(affinity -> spec.set("affinity", affinity));
        if (!settings.pullSecrets().isEmpty()) {
            ArrayNode secrets = spec.putArray("imagePullSecrets");
            settings.pullSecrets().forEach(name -> secrets.add(Json.named(name)));
        }
        spec.putArray("containers").add(container(executor));
        spec.set("volumes", volumes(executor, claims));
        return spec;
    }

    private ObjectNode container(long executor) {
        ObjectNode container = Json.named(Verdict.EXECUTOR_CONTAINER)
                .put("image", PodLabels.image(settings.image(), identity.version()))
                .put("imagePullPolicy", settings.pullPolicy().name())
                .put("terminationMessagePolicy", "FallbackToLogsOnError");
        container.putArray("args").add("executor");
        container
                .putArray("ports")
                .add(Json.named("blockmanager")
                        .put("containerPort", blocksPort())
                        .put("protocol", "TCP"));
        container.set("env", environment(executor));
        ObjectNode resources = container.putObject("resources");
        String memory = profile.memory().total() + "Mi";
        resources.putObject("requests").put("cpu", settings.coresOf(profile)).put("memory", memory);
        ObjectNode limits = resources.putObject("limits").put("memory", memory);
        settings.limitCores().ifPresent(cores -> limits.put("cpu", cores));
        Devices.of(profile.resources()).forEach((name, amount) -> limits.put(name, String.valueOf(amount)));
        ObjectNode security = container.putObject("securityContext");
        security.put("allowPrivilegeEscalation", settings.privilegeEscalation());
        settings.additions().secure(security);
        List<String> stop = settings.additions().stopCommand(settings.graceSeconds());
        if (!stop.isEmpty()) {
            ArrayNode command = container.withObject("/lifecycle/preStop/exec").putArray("command");
            stop.forEach(command::add);
        }
        ArrayNode mounts = container.putArray("volumeMounts");
        mounts.add(mount("hearth-orders", ORDERS).put("readOnly", true));
        settings.additions().addMounts(mounts, String.valueOf(executor));
        settings.secrets()
                .forEach((name, path) ->
                        mounts.add(mount(secretVolume(name), path).put("readOnly", true)));
        return container;
    }

    private ArrayNode environment(long executor) {
        LaunchOptions options = profile.options().of(application(), new ExecutorId(String.valueOf(executor)));
        Map<String, String> values = new LinkedHashMap<>();
        values.putAll(filled(options.environment(), executor));
        List<String> java = new ArrayList<>(List.of(
                "-Xmx" + profile.memory().heapMebibytes() + "m",
                firstHeap(profile.memory()),
                "-XX:ActiveProcessorCount=" + cores(),
                "-Dhearth.local.dir=" + settings.additions().local().text(),
                "-Duser.name=" + identity.user()));
        java.addAll(options.javaOptions());
        values.put("HEARTH_ORDERS", ORDERS);
        values.put("HEARTH_JAVA_OPTS", String.join(" ", java));
        values.put("HEARTH_TMPDIR", TEMPORARY_DIRECTORY);
        values.put("HOME", TEMPORARY_DIRECTORY);
        values.put("SPARK_APPLICATION_ID", application().value());
        values.put("SPARK_USER", identity.user());
        values.put(EXECUTOR_ID, String.valueOf(executor));
        values.put(EXECUTOR_CORES, String.valueOf(cores()));
        values.put("SPARK_RESOURCE_PROFILE_ID", String.valueOf(profile.id().value()));
        if (!options.libraryPath().isEmpty()) {
            values.put("LD_LIBRARY_PATH", options.libraryPath());
        }
        ArrayNode environment = Json.array();
        values.forEach((name, value) -> environment.add(Json.named(name).put("value", value)));
        environment.add(field(POD_IP, "status.podIP"));
        environment.add(field(POD_NAME, "metadata.name"));
        environment.add(field(NODE, "spec.nodeName"));
        settings.secretVariables().forEach((name, reference) -> {
            String[] parts = reference.split(":", 2);
            ObjectNode variable = Json.named(name);
            variable.putObject("valueFrom")
                    .putObject("secretKeyRef")
                    .put("name", parts[0])
                    .put("key", parts[1]);
            environment.add(variable);
        });
        return environment;
    }

    /**
     * The option for the heap with which Java starts. Else it is a 64th of the memory of the pod, and is collected 20 times
     * until the first task runs.
     */
    static String firstHeap(ContainerSize memory) {
        return "-Xms" + Math.min(memory.heapMebibytes(), FIRST_HEAP_MEBIBYTES) + "m";
    }

    private ArrayNode volumes(long executor, Map<String, String> claims) {
        ArrayNode volumes = Json.array();
        ObjectNode orders = Json.named("hearth-orders");
        orders.putObject("secret").put("secretName", anchorName()).put("defaultMode", 0440);
        volumes.add(orders);
        settings.additions().addVolumes(volumes, String.valueOf(executor), claims);
        settings.secrets().keySet().forEach(name -> {
            ObjectNode secret = Json.named(secretVolume(name));
            secret.putObject("secret").put("secretName", name);
            volumes.add(secret);
        });
        return volumes;
    }

    static ObjectNode owner(Owner owner) {
        return Json.object()
                .put("apiVersion", "v1")
                .put("kind", owner.kind())
                .put("name", owner.name())
                .put("uid", owner.uid())
                .put("controller", false)
                .put("blockOwnerDeletion", false);
    }

    /** Values with the ids of the application and of one executor in them. */
    private Map<String, String> filled(Map<String, String> values, long executor) {
        Map<String, String> filled = new LinkedHashMap<>();
        values.forEach((key, value) -> filled.put(key, filled(value, executor)));
        return filled;
    }

    private String filled(String value, long executor) {
        return value.replace(PodLabels.APPLICATION_ID, application().value())
                .replace(PodLabels.EXECUTOR_ID, String.valueOf(executor));
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(PodLabels.APPLICATION, application().value());
        labels.put(PodLabels.APPLICATION_NAME, PodLabels.value(identity.name()));
        labels.put(PodLabels.VERSION, identity.version());
        labels.put(Placement.NONCE, identity.nonce());
        return labels;
    }

    private int blocksPort() {
        String port = executorSettings.getOrDefault("hearth.blockManager.port", String.valueOf(BLOCKS_PORT));
        return Integer.parseInt(port);
    }

    @Override
    public String anchorName() { // a prefix that the user has chosen may be that of several applications
        String prefix = settings.namePrefix().isEmpty() ? identity.prefix() : identity.prefix() + "-" + application();
        return prefix + "-orders";
    }

    static String secretVolume(String name) {
        return name + "-volume";
    }

    static ObjectNode mount(String volume, String path) {
        return Json.named(volume).put("mountPath", path);
    }

    static ObjectNode field(String variable, String path) {
        ObjectNode field = Json.named(variable);
        field.putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", path);
        return field;
    }

    static String hostName(String pod) {
        String end = pod.substring(Math.max(0, pod.length() - HOST_NAME_MAX));
        return end.replace('.', '-').replaceAll("^-+", "");
    }

    static String variable(String name) {
        return "${env:" + name + "}";
    }
}
