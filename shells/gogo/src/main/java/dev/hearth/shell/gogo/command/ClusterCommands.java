package dev.hearth.shell.gogo.command;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.shell.gogo.answer.Units;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.WorkerEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Commands that list what a cluster has and runs. Created for each call; stateless. */
@Component(
        service = ClusterCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandProcessor.COMMAND_FUNCTION + "=workers"
        })
public final class ClusterCommands {
    private static final String MASTER = "--master";
    private static final String STATE = "--state";

    private final ClusterAccess clusters;

    @Activate
    public ClusterCommands(@Reference ClusterAccess clusters) {
        this.clusters = clusters;
    }

    @Descriptor("""
            Lists the workers of a cluster, lost ones included.
            workers [--state STATE] [--master URL] [--json]   STATE: alive, dead, decommissioned, unknown""")
    public void workers(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "workers", arguments, 0, STATE + "=", MASTER + "=");
        Optional<WorkerEntry.State> state = state(call, WorkerEntry.State.values());
        try (ClusterAccess.OpenView view = clusters.open(call, call.option(MASTER), "list of workers")) {
            ClusterListing<WorkerEntry> found = view.ask(ClusterView::workers);
            call.answer(workers(found.only(worker -> state.isEmpty() || worker.state() == state.get())));
        }
    }

    private static Table workers(ClusterListing<WorkerEntry> found) {
        Table.Builder table = Table.of(
                "worker", "address", "state", "cores", "memory", "resources", "heartbeat", "executors", "drivers");
        for (WorkerEntry worker : found.entries()) {
            table.row(
                    OutputValue.of(worker.id()),
                    OutputValue.of(worker.address()),
                    state(worker.state()),
                    OutputValue.of(ratio(text(worker.coresUsed()), text(worker.cores())))
                            .field("coresUsed", OutputValue.of(worker.coresUsed()))
                            .field("cores", OutputValue.of(worker.cores())),
                    memory(worker.memoryUsedMebibytes(), worker.memoryMebibytes()),
                    resources(worker),
                    age(worker.heartbeatAgeMillis()),
                    OutputValue.of(worker.executors()),
                    OutputValue.of(worker.drivers()));
        }
        return found.known() ? table.build("no worker") : table.unknown(found.remark());
    }

    private static OutputValue memory(OptionalLong used, OptionalLong all) {
        return OutputValue.of(ratio(
                        Units.mebibytes(used).shown(), Units.mebibytes(all).shown()))
                .field("memoryUsedMebibytes", OutputValue.of(used))
                .field("memoryMebibytes", OutputValue.of(all));
    }

    private static OutputValue age(OptionalLong millis) {
        OutputValue age = Units.millis(millis);
        return age.shownAs(age.shown().isEmpty() ? "" : age.shown() + " ago")
                .field("heartbeatAgeMillis", age)
                .passing();
    }

    private static OutputValue resources(WorkerEntry worker) {
        Map<String, ResourceInformation> used = ResourceInformation.byName(worker.resourcesUsed());
        String shown = worker.resources().stream()
                .map(offered -> offered.name() + " "
                        + Optional.ofNullable(used.get(offered.name()))
                                .map(held -> held.addresses().size())
                                .orElse(0)
                        + "/" + offered.addresses().size())
                .collect(Collectors.joining(", "));
        return OutputValue.of(shown)
                .field("resources", addresses(worker.resources()))
                .field("resourcesUsed", addresses(worker.resourcesUsed()));
    }

    private static OutputValue addresses(List<ResourceInformation> resources) {
        return OutputValue.objects(resources.stream()
                .collect(Collectors.toMap(
                        ResourceInformation::name,
                        resource -> OutputValue.of(resource.addresses()),
                        (one, other) -> one,
                        LinkedHashMap::new)));
    }

    private static OutputValue state(WorkerEntry.State state) {
        OutputValue value = OutputValue.of(lower(state));
        return switch (state) {
            case ALIVE -> value.good();
            case DEAD -> value.bad();
            case DECOMMISSIONED, UNKNOWN -> value;
        };
    }

    private static <S extends Enum<S>> Optional<S> state(CommandCall call, S[] states) {
        return call.option(STATE)
                .map(text -> Stream.of(states)
                        .filter(state -> state.name().equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> call.misused("state '" + text + "' (expected: one of "
                                + Stream.of(states).map(ClusterCommands::lower).toList() + ")")));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String ratio(String used, String all) {
        return used.isEmpty() ? all : used + "/" + all;
    }

    private static String text(OptionalInt number) {
        return OutputValue.of(number).shown();
    }
}
