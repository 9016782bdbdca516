package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.kernel.BundleUsers;
import dev.hearth.spi.kernel.Inventory;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Command that lists the cluster managers. It is a separate component, because creating it creates every cluster
 * manager. Created for each call.
 */
@Component(
        service = ManagerCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Cluster",
            CommandProcessor.COMMAND_FUNCTION + "=managers"
        })
public final class ManagerCommands {
    private static final String SERVICE_ID = "service.id";
    private static final String BUNDLE_ID = "service.bundleid";

    private final Map<Long, Offer> offers = new ConcurrentSkipListMap<>();

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Inventory inventory;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable BundleUsers holders;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addManager(ClusterManager manager, Map<String, Object> properties) {
        offers.put(number(properties, SERVICE_ID), Offer.of(manager, properties));
    }

    void removeManager(ClusterManager manager, Map<String, Object> properties) {
        offers.remove(number(properties, SERVICE_ID));
    }

    @Descriptor("""
            Lists cluster managers: schemes, bundles, users.
            managers [--json]
            Example: managers""")
    public void managers(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "managers", arguments, 0);
        Table.Builder table = Table.of("schemes", "deployModes", "bundle", "version", "heldBy");
        for (Offer offer : offers.values()) {
            Optional<Inventory.BundleEntry> bundle = bundle(offer.bundle());
            table.row(
                    OutputValue.of(offer.schemes()),
                    OutputValue.of(offer.modes()),
                    OutputValue.of(bundle.map(Inventory.BundleEntry::name).orElse("bundle " + offer.bundle())),
                    OutputValue.of(bundle.map(Inventory.BundleEntry::version).orElse("")),
                    OutputValue.of(holders(offer.bundle())));
        }
        call.answer(table.build("no cluster manager in this process"));
    }

    private Optional<Inventory.BundleEntry> bundle(long id) {
        Inventory present = inventory;
        return present == null
                ? Optional.empty()
                : present.bundles().stream().filter(bundle -> bundle.id() == id).findFirst();
    }

    private List<String> holders(long bundle) {
        BundleUsers present = holders;
        return present == null ? List.of() : present.of(bundle);
    }

    private static long number(Map<String, Object> properties, String key) {
        return properties.get(key) instanceof Long number ? number : -1;
    }

    private record Offer(List<String> schemes, List<String> modes, long bundle) {
        static Offer of(ClusterManager manager, Map<String, Object> properties) {
            Object value = properties.get(ClusterManager.SCHEME);
            List<String> schemes = value instanceof String one
                    ? List.of(one)
                    : value instanceof String[] several ? List.of(several) : List.of();
            List<String> modes = manager.deployModes().stream()
                    .sorted(Comparator.naturalOrder())
                    .map(DeployMode::name)
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .toList();
            return new Offer(schemes, modes, number(properties, BUNDLE_ID));
        }
    }
}
