package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.kernel.Inventory;
import java.util.List;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Commands that list bundles and services, and explain why a bundle does not run. Created for each call; stateless. */
@Component(
        service = BundleCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Bundles",
            CommandProcessor.COMMAND_FUNCTION + "=bundles",
            CommandProcessor.COMMAND_FUNCTION + "=services",
            CommandProcessor.COMMAND_FUNCTION + "=why"
        })
public final class BundleCommands {
    private static final String ACTIVE = "ACTIVE";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Inventory inventory;

    @Descriptor("""
            Lists bundles with their states and problems.
            bundles [TEXT] [--json]   TEXT: only those whose name contains it
            Example: bundles rpc""")
    public void bundles(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "bundles", arguments, 1);
        Optional<String> wanted = call.word(0);
        Table.Builder table =
                Table.of("id", "name", "version", "state", "from", "problem").lastIsNote();
        for (Inventory.BundleEntry bundle :
                call.need(inventory, Inventory.class).bundles()) {
            if (wanted.isEmpty() || bundle.name().contains(wanted.get())) {
                OutputValue state = OutputValue.of(bundle.state());
                table.row(
                        OutputValue.of(bundle.id()),
                        OutputValue.of(bundle.name()),
                        OutputValue.of(bundle.version()),
                        bundle.state().equals(ACTIVE) ? state.good() : state,
                        OutputValue.of(bundle.from()),
                        OutputValue.of(bundle.problem()).bad());
            }
        }
        call.answer(table.build("no such bundle"));
    }

    @Descriptor("""
            Lists the services of this process and their bundles.
            services [TEXT] [--json]   TEXT: only those whose type or bundle contains it
            Example: services ClusterManager""")
    public void services(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "services", arguments, 1);
        Optional<String> wanted = call.word(0);
        Table.Builder table = Table.of("id", "types", "bundle", "properties");
        for (Inventory.ServiceEntry service :
                call.need(inventory, Inventory.class).services()) {
            if (wanted.isEmpty() || holds(service, wanted.get())) {
                List<String> names = service.types().stream()
                        .map(type -> type.substring(type.lastIndexOf('.') + 1))
                        .toList();
                table.row(
                        OutputValue.of(service.id()),
                        OutputValue.of(service.types()).shownAs(String.join(", ", names)),
                        OutputValue.of(service.bundle()),
                        OutputValue.of(service.properties()));
            }
        }
        call.answer(table.build("no such service"));
    }

    @Descriptor("""
            Explains why a bundle does not run.
            why BUNDLE [--json]   BUNDLE: its id or name
            Example: why hearth-event-log""")
    public void why(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "why", arguments, 1);
        String bundle = call.need(0, "bundle");
        call.answer(
                CommandOutput.words("why", call.need(inventory, Inventory.class).why(bundle)));
    }

    private static boolean holds(Inventory.ServiceEntry service, String wanted) {
        return service.bundle().contains(wanted) || service.types().stream().anyMatch(type -> type.contains(wanted));
    }
}
