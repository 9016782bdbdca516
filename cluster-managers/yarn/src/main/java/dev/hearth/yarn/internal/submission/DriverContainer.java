package dev.hearth.yarn.internal.submission;

import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.MachineSettings;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.launch.CarriedOrders;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Launch orders of the driver in the container of an application master: those in the file {@link #ORDERS}, and the secret
 * ones, which its credentials hold. Immutable.
 */
public record DriverContainer(LaunchOrders open, Map<String, Bytes> secrets) {
    /** Name of the file with launch orders in the driver's container. */
    static final String ORDERS = "hearth.orders";
    /** Directory in a container with Hadoop's configuration. */
    static final String CONFIGURATION = StagedFiles.CONFIGURATION;
    /** Order with the files of executors, as text. */
    public static final String STAGED = AmSettings.STAGED.name();
    /** Order with the directory of the application's own files, which the driver removes at its end. */
    public static final String STAGING = AmSettings.STAGING_DIRECTORY.name();

    private static final String WORKING_DIRECTORY = "${env:PWD}";
    private static final String HOST = "hearth.driver.host";
    private static final String NODE = "${env:NM_HOST}";
    private static final Set<String> OF_SUBMITTER = Set.of(
            StagingSettings.CONFIGURATION.name(),
            StagingSettings.JARS.name(),
            StagingSettings.FILES.name(),
            StagingSettings.ARCHIVES.name(),
            HadoopIdentity.PROXY_USER.name());

    /** Facts about a submission besides its plan. {@code keytab} is the name of the keytab in the container. */
    record Origin(
            SubmissionId submission,
            String secret,
            StagedFiles forExecutors,
            String stagingDirectory,
            List<FrozenBundle> bundles,
            Optional<String> keytab) {}

    /** The orders for {@code plan}, whose paths are those of the container. */
    static DriverContainer of(SubmissionPlan plan, Origin origin) {
        Map<String, String> values = MachineSettings.without(plan.settings().values());
        values.keySet().removeAll(OF_SUBMITTER);
        values.put("hearth.master", "yarn");
        values.put("hearth.authenticate", "true");
        values.putIfAbsent("hearth.authenticate.applicationSecret", origin.secret());
        values.put(HOST, NODE);
        origin.keytab().ifPresent(name -> {
            values.put(HadoopIdentity.KEYTAB.name(), FilePlan.DIRECTORY + "/" + name);
            values.put(KerberosSettings.FILE_SYSTEMS.name(), String.join(",", fileSystems(plan)));
        });
        SubmissionPlan driver =
                plan.but().settings(Settings.empty().with("submission", values)).build();
        Map<String, String> orders = DriverOrders.seated(DriverOrders.of(origin.submission(), driver));
        orders = new CarriedBundles(
                        origin.bundles(),
                        origin.bundles().isEmpty() ? List.of() : List.of(Path.of(StagedFiles.BUNDLES)))
                .in(orders);
        orders.put(STAGED, origin.forExecutors().text());
        orders.put(STAGING, origin.stagingDirectory());
        Map<String, String> open = new LinkedHashMap<>();
        Map<String, Bytes> secrets = CarriedOrders.secrets(orders, open);
        return new DriverContainer(placed(open), secrets);
    }

    /** File systems for which the driver makes tokens: those of the settings, and those of files of the plan. */
    private static Set<String> fileSystems(SubmissionPlan plan) {
        Set<String> systems = new LinkedHashSet<>(
                KerberosSettings.read(new SettingsReader(plan.settings())).fileSystems());
        plan.resources().stream()
                .filter(resource -> !resource.isPath())
                .map(SubmissionResource::address)
                .filter(address -> address.getScheme() != null && address.getAuthority() != null)
                .forEach(address -> systems.add(address.getScheme() + "://" + address.getAuthority()));
        return systems;
    }

    /** The orders with the container's own directory and host in place of what only it knows. */
    private static LaunchOrders placed(Map<String, String> orders) {
        Map<String, String> placed = new LinkedHashMap<>();
        Set<String> ofContainer = new LinkedHashSet<>();
        orders.forEach((key, value) -> {
            boolean isPlaced = value.contains(FilePlan.DIRECTORY + "/");
            // elsewhere a reference is the user's own text, and stays one
            placed.put(
                    key,
                    isPlaced
                            ? value.replace("${", "$${").replace(FilePlan.DIRECTORY + "/", WORKING_DIRECTORY + "/")
                            : value);
            if (isPlaced || key.equals(HOST)) {
                ofContainer.add(key);
            }
        });
        return new LaunchOrders(placed, ofContainer);
    }

    @Override
    public String toString() {
        return open + " and secrets " + secrets.keySet();
    }
}
