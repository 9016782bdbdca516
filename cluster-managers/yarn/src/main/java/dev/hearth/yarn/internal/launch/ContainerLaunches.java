package dev.hearth.yarn.internal.launch;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.backend.ExecutorLaunches;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Launches of the executors of one context. Owned by the application's event loop. */
public final class ContainerLaunches implements ExecutorLaunches {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerLaunches.class);
    private static final String ROLE = "executor";

    private final ProcessLaunches processes;
    private final ApplicationId application;
    private final EndpointUri driver;
    private final Map<String, String> settings;
    private final Function<ExecutorProfile, ExecutorNeeds> needs;
    private final StagedFiles files;
    private final Supplier<Bytes> tokens;
    private boolean loggedSurplus;

    /**
     * Launches of executors that connect to {@code driver}. {@code executorSettings} are those of {@link
     * dev.hearth.spi.cluster.DriverServices#executorSettings}; {@code tokens} supplies the latest token file of Hadoop, or
     * nothing.
     */
    public ContainerLaunches(
            ProcessLaunches processes,
            ApplicationId application,
            EndpointUri driver,
            Map<String, String> executorSettings,
            Function<ExecutorProfile, ExecutorNeeds> needs,
            StagedFiles files,
            Supplier<Bytes> tokens) {
        this.processes = processes;
        this.application = application;
        this.driver = driver;
        this.settings = ExecutorOrders.settingsToConnect(executorSettings);
        this.needs = needs;
        this.files = files;
        this.tokens = tokens;
    }

    @Override
    public ContainerLaunch launch(GrantedContainer container, ExecutorId executor, ExecutorProfile profile) {
        int cores = profile.cores().orElse(1);
        Map<String, String> orders = new LinkedHashMap<>(settings);
        orders.putAll(new ExecutorOrders(executor, container.host(), cores, driver).asMap());
        List<Path> contents = files.contents().stream().map(Path::of).toList();
        ContainerLaunch launch = processes.launch(
                container.id(),
                ROLE,
                memory(container, needs.apply(profile)).heapMebibytes(),
                processes.options().limitsProcessors() ? List.of("-XX:ActiveProcessorCount=" + cores) : List.of(),
                profile.options().of(application, executor),
                CarriedOrders.of(contents.isEmpty() ? orders : ExecutorOrders.withContents(orders, contents)),
                files,
                tokens.get());
        return launch.withCommand(ContainerCommand.marked(launch.command(), ContainerCommand.mark(executor)));
    }

    /** Memory of an executor in its container; logs once what memory beyond the request is used for. */
    private ContainerSize memory(GrantedContainer container, ExecutorNeeds each) {
        int surplus = each.surplusIn(container.capability());
        if (surplus > 0 && !loggedSurplus) {
            loggedSurplus = true;
            LOG.info(
                    "containers of {} MiB have {} MiB more than was asked for, because YARN rounds requests up: {}",
                    container.capability().memoryMebibytes(),
                    surplus,
                    each.fills()
                            ? "the heap of executors gets it"
                            : "it is overhead; hearth.yarn.executor.fillContainer gives it to the heap");
        }
        return each.memoryIn(container.capability());
    }
}
