package dev.hearth.yarn.internal.driver;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.settings.YarnAllocationSettings;
import dev.hearth.yarn.internal.submission.SubmissionNeeds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Needs of executors on YARN by their profiles. The types of {@code hearth.yarn.executor.resource.*} are for executors of
 * the default profile alone, as in Spark: others have what they ask for. Immutable.
 */
record ProfileNeeds(YarnAllocationSettings allocation, Map<String, Long> amounts, ContainerSize memory, int taskCores)
        implements Function<ExecutorProfile, ExecutorNeeds> {
    private static final String GPU = "gpu";
    private static final String FPGA = "fpga";

    static ProfileNeeds of(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ContainerSize memory = ContainerSize.ofExecutor(in);
        YarnAllocationSettings allocation = YarnAllocationSettings.read(in);
        Map<String, Long> amounts = SubmissionNeeds.amounts(in.readAll(YarnAllocationSettings.EXECUTOR_AMOUNTS));
        in.finish();
        int cores = settings.find("hearth.task.cpus").map(Integer::parseInt).orElse(1);
        return new ProfileNeeds(allocation, amounts, memory, cores);
    }

    @Override
    public ExecutorNeeds apply(ExecutorProfile profile) {
        boolean isDefault = profile.id().equals(ProfileId.DEFAULT);
        Map<String, Long> resources = new LinkedHashMap<>(isDefault ? amounts : Map.of());
        profile.resources().forEach((name, request) -> resources.put(type(name), (long) request.amount()));
        int cores = profile.cores().orElse(1);
        // the engine does not know the former names of the settings of memory
        ContainerSize size = isDefault ? memory : profile.memory();
        return new ExecutorNeeds(
                new ContainerCapability(size.total(), cores, resources),
                size,
                Math.max(1, cores / taskCores),
                new ContainerPlace(allocation.nodeLabel(), allocation.constraint()),
                allocation.fillsContainer());
    }

    private String type(String resource) {
        return switch (resource) {
            case GPU -> allocation.gpuType();
            case FPGA -> allocation.fpgaType();
            default -> resource;
        };
    }
}
