package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.ResourceAmount;
import dev.hearth.yarn.internal.settings.YarnAllocationSettings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Needs of an application: the containers of its application master and of each executor, its queue, its
 * node labels, and the placement constraint of executors, or an empty text. {@code executor} and {@code master} are the memory in parts. Immutable.
 */
public record SubmissionNeeds(
        ContainerSize executor,
        ContainerCapability executorContainer,
        ContainerSize master,
        ContainerCapability masterContainer,
        String queue,
        Set<String> labels,
        String constraint) {
    private static final String CORES = "hearth.executor.cores";
    private static final String DRIVER_CORES = "hearth.driver.cores";
    private static final String GPU = "gpu";
    private static final String FPGA = "fpga";

    public SubmissionNeeds {
        labels = Set.copyOf(labels);
    }

    /** The needs of an application in cluster mode, whose application master is its driver. */
    public static SubmissionNeeds ofCluster(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ContainerSize driver = ContainerSize.ofDriver(in);
        Map<String, Long> resources = resources(in, false);
        in.finish();
        return of(settings, driver, new ContainerCapability(driver.total(), number(settings, DRIVER_CORES), resources));
    }

    /** The needs of an application in client mode, whose application master is a relay. */
    public static SubmissionNeeds ofClient(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        AmSettings am = AmSettings.read(in);
        ContainerSize size = new ContainerSize(am.heapMebibytes(), 0, am.overheadMebibytes());
        Map<String, Long> resources = amounts(in.readAll(AmSettings.AM_AMOUNTS));
        in.finish();
        return of(settings, size, new ContainerCapability(size.total(), am.cores(), resources));
    }

    private static SubmissionNeeds of(Settings settings, ContainerSize master, ContainerCapability masterContainer) {
        SettingsReader in = new SettingsReader(settings);
        ContainerSize executor = ContainerSize.ofExecutor(in);
        QueueSettings queue = QueueSettings.read(in);
        YarnAllocationSettings allocation = YarnAllocationSettings.read(in);
        Map<String, Long> resources = resources(in, true);
        in.finish();
        Set<String> labels = new LinkedHashSet<>();
        for (String label : new String[] {queue.nodeLabel(), allocation.nodeLabel()}) {
            if (!label.isBlank()) {
                labels.add(label.strip());
            }
        }
        return new SubmissionNeeds(
                executor,
                new ContainerCapability(executor.total(), number(settings, CORES), resources),
                master,
                masterContainer,
                queue.queue(),
                labels,
                allocation.constraint());
    }

    /** Resource types of a process: those named for YARN, and its GPUs and FPGAs. */
    private static Map<String, Long> resources(SettingsReader in, boolean ofExecutor) {
        YarnAllocationSettings types = YarnAllocationSettings.read(in);
        Map<String, Long> resources = new LinkedHashMap<>(amounts(
                ofExecutor
                        ? in.readAll(YarnAllocationSettings.EXECUTOR_AMOUNTS)
                        : in.readAll(AmSettings.DRIVER_AMOUNTS)));
        Map<String, ResourceRequest> requests =
                ofExecutor ? ResourceRequest.ofExecutors(in) : ResourceRequest.ofDriver(in);
        requests.forEach((name, request) -> {
            String type = name.equals(GPU) ? types.gpuType() : name.equals(FPGA) ? types.fpgaType() : name;
            resources.put(type, (long) request.amount());
        });
        return resources;
    }

    /** Amounts of a family by their types, in the types' own units. */
    public static Map<String, Long> amounts(Map<String, String> family) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        family.forEach((name, text) -> ResourceAmount.parse(text)
                .ifPresent(amount -> amounts.put(
                        name.substring(0, name.length() - ResourceAmount.SUFFIX.length()), amount.total())));
        return amounts;
    }

    private static int number(Settings settings, String key) {
        return settings.find(key).map(text -> Integer.parseInt(text.strip())).orElse(1);
    }
}
