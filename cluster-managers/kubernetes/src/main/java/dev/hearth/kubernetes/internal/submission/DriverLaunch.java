package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.client.CredentialSettings;
import dev.hearth.kubernetes.internal.pod.ApplicationPods;
import dev.hearth.kubernetes.internal.pod.DriverContent;
import dev.hearth.kubernetes.internal.pod.DriverContent.CarriedFile;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.PodAdditions;
import dev.hearth.kubernetes.internal.seat.SeatInstructions;
import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.MachineSettings;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmitterEnvironment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Start of a driver on the cluster: the objects of its submission, with its launch orders and files in them. Pure:
 * all files are read before. Immutable.
 */
public record DriverLaunch(SubmissionId submission, DriverObjects objects, List<LocalFile> uploads, String proof) {
    /** Setting of a driver on the cluster with the id of its application. */
    public static final String APPLICATION = "hearth.kubernetes.submission.application";
    /** Setting of a driver on the cluster with the prefix of the names of its application's objects. */
    public static final String NAME_PREFIX = "hearth.kubernetes.submission.namePrefix";

    private static final int NAMES_BYTES = 24 * 1024; // of the secret that is not content: names and labels
    private static final Set<String> FETCHED = Set.of("http", "https");
    private static final String HASH = "sha256=";
    private static final String DRIVER_HOST = "hearth.driver.host";
    private static final String BIND_ADDRESS = "hearth.driver.bindAddress";
    private static final String POD_ADDRESS = "${env:" + DriverObjects.POD_IP + "}";

    /** Facts about the submission besides its plan. */
    record Origin(
            ApplicationPods.Identity identity,
            String namespace,
            SubmissionSettings settings,
            DriverFilesReader.Found found,
            Map<String, Bytes> credentials,
            Map<String, CarriedFile> templates,
            String proof) {}

    /** Plans the launch of the driver of {@code plan}. Fails with {@code BAD_ARGUMENT} if it is too large. */
    static DriverLaunch of(SubmissionPlan plan, Origin origin) {
        SubmissionSettings settings = origin.settings();
        String pod = DriverObjects.podName(origin.identity(), settings.pod());
        SubmissionId submission = new SubmissionId(origin.namespace() + ":" + pod);
        List<LocalFile> uploads = origin.found().files().stream()
                .filter(file -> file.content().isEmpty())
                .toList();
        List<SeatInstructions.Fetch> fetches = new ArrayList<>();
        SubmissionPlan placed = placed(plan, origin, fetches);
        if (settings.isLocal() && !(uploads.isEmpty() && fetches.isEmpty())) {
            throw ErrorCode.BAD_ARGUMENT.failure("submission of " + plan.name() + ": files of more than "
                    + settings.carriedBytesMax() / 1024
                    + " KiB, or at https: (expected: files of the image, as"
                    + " local:/path, for a driver with a local master)");
        }
        SeatInstructions instructions = new SeatInstructions(
                DriverObjects.secretName(origin.identity()),
                pod,
                settings.deletesService() && settings.pod().service().exists()
                        ? DriverObjects.serviceName(origin.identity())
                        : "",
                settings.annotates(),
                origin.proof(),
                uploads.stream()
                        .map(file -> new SeatInstructions.Upload(file.sha256(), file.bytes(), file.place()))
                        .toList(),
                fetches);
        List<CarriedFile> carried = new ArrayList<>();
        origin.found().files().stream()
                .map(LocalFile::carried)
                .flatMap(Optional::stream)
                .forEach(carried::add);
        carried.addAll(origin.templates().values());
        DriverContent content = new DriverContent(
                orders(placed, submission, pod, origin).text(), instructions.text(), carried, origin.credentials());
        int most = settings.secretBytesMax() - NAMES_BYTES;
        if (content.bytes() > most) {
            throw ErrorCode.BAD_ARGUMENT.failure("submission of " + plan.name() + ": settings, arguments and files of "
                    + content.bytes() + " bytes (expected: at most " + most
                    + ", as a secret of Kubernetes holds them); put large files into the image, as local:/path");
        }
        DriverObjects objects = new DriverObjects(
                origin.identity(),
                settings.pod(),
                content,
                SubmitterEnvironment.withoutMachine(plan.environment()),
                new DriverObjects.Ports(settings.driverPort(), settings.blocksPort()));
        return new DriverLaunch(submission, objects, uploads, origin.proof());
    }

    /** The plan with the paths that its files have in the driver's pod. */
    private static SubmissionPlan placed(SubmissionPlan plan, Origin origin, List<SeatInstructions.Fetch> fetches) {
        Map<Path, ContentAddress> addresses = origin.found().files().stream()
                .collect(
                        Collectors.toMap(LocalFile::path, LocalFile::address, (one, other) -> one, LinkedHashMap::new));
        Map<ContentAddress, Path> places = origin.found().files().stream()
                .collect(Collectors.toMap(
                        LocalFile::address, file -> Path.of(file.place()), (one, other) -> one, LinkedHashMap::new));
        SubmissionPlan local = UploadSelection.placed(
                origin.found().selection().sent(plan, addresses), address -> place(places, address));
        List<SubmissionResource> resources = new ArrayList<>();
        for (SubmissionResource resource : local.resources()) {
            resources.add(FETCHED.contains(resource.scheme()) ? fetched(resource, fetches) : resource);
        }
        return local.but().resources(resources).build();
    }

    private static Path place(Map<ContentAddress, Path> places, ContentAddress address) {
        return Optional.ofNullable(places.get(address))
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                        "'" + address + "': not a file of this submission (expected: a path, local:/path or https:)"));
    }

    private static SubmissionResource fetched(SubmissionResource resource, List<SeatInstructions.Fetch> fetches) {
        String fragment = resource.alias().orElse("");
        String sha256 = fragment.startsWith(HASH) ? fragment.substring(HASH.length()) : "";
        String path = DriverObjects.WORK_DIRECTORY + "/.fetched/" + fetches.size() + "/" + resource.fileName();
        fetches.add(new SeatInstructions.Fetch(resource.address().toString(), path, sha256));
        String target = Path.of(path).toUri().toString();
        return resource.at(URI.create(fragment.isEmpty() || !sha256.isEmpty() ? target : target + "#" + fragment));
    }

    private static LaunchOrders orders(SubmissionPlan plan, SubmissionId submission, String pod, Origin origin) {
        SubmissionSettings settings = origin.settings();
        Map<String, String> values = MachineSettings.without(plan.settings().values());
        values.keySet()
                .removeIf(key -> key.startsWith(CredentialSettings.PREFIX) && !key.endsWith(".serviceAccountName"));
        values.remove(SubmissionSettings.POD_ADDRESS.name()); // its effect is in the orders
        values.remove("hearth.kubernetes.context");
        values.remove("hearth.kubernetes.trust.certificates");
        values.keySet().removeAll(PodAdditions.ofSubmitterAlone());
        PodAdditions.filesOfExecutors(new SettingsReader(plan.settings())).forEach((key, files) -> {
            List<String> places = new ArrayList<>();
            for (String file : files) {
                Optional.ofNullable(origin.templates().get(file)).ifPresent(found -> places.add(found.path()));
            }
            values.put(key, String.join(",", places));
        });
        values.put("hearth.master", master(settings));
        values.put("hearth.kubernetes.namespace", origin.namespace());
        values.put("hearth.kubernetes.driver.pod.name", pod);
        values.put(APPLICATION, origin.identity().application().value());
        values.put(NAME_PREFIX, origin.identity().prefix());
        credentials(settings.mounted(), origin.credentials().keySet(), values);
        Set<String> ofThePod = new LinkedHashSet<>(List.of(DRIVER_HOST));
        values.put(DRIVER_HOST, POD_ADDRESS);
        if (!settings.usesPodAddress()) {
            values.put(DRIVER_HOST, DriverObjects.serviceName(origin.identity()) + "." + origin.namespace() + ".svc");
            values.put(BIND_ADDRESS, POD_ADDRESS);
            ofThePod = new LinkedHashSet<>(List.of(BIND_ADDRESS));
        }
        SubmissionPlan driver =
                plan.but().settings(Settings.empty().with("submission", values)).build();
        Map<String, String> orders = DriverOrders.of(submission, driver);
        return new LaunchOrders(settings.isLocal() ? orders : DriverOrders.seated(orders), ofThePod);
    }

    private static String master(SubmissionSettings settings) {
        return settings.driverMaster()
                .map(text -> text.startsWith("http") ? "k8s://" + text : text)
                .orElse("k8s");
    }

    /** Credentials of the driver: files in its image first, then those of the secret. */
    private static void credentials(CredentialSettings mounted, Set<String> secret, Map<String, String> values) {
        credential("caCertFile", mounted.caFile(), secret.contains("ca-cert"), "ca-cert", values);
        credential("clientKeyFile", mounted.keyFile(), secret.contains("client-key"), "client-key", values);
        credential("clientCertFile", mounted.certificateFile(), secret.contains("client-cert"), "client-cert", values);
        mounted.token().ifPresent(token -> values.put(CredentialSettings.PREFIX + "oauthToken", token));
        credential(
                "oauthTokenFile",
                mounted.tokenFile(),
                secret.contains("oauth-token") && mounted.token().isEmpty(),
                "oauth-token",
                values);
    }

    private static void credential(
            String suffix, Optional<String> mounted, boolean inSecret, String name, Map<String, String> values) {
        mounted.or(() -> inSecret ? Optional.of(DriverContent.CREDENTIALS + "/" + name) : Optional.empty())
                .ifPresent(path -> values.put(CredentialSettings.PREFIX + suffix, path));
    }

    @Override
    public String toString() {
        return "launch of " + submission;
    }
}
