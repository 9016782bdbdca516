package dev.hearth.engine.internal.driver.executors;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.cluster.ResourceDiscovery;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Resources of an executor inside the driver's process. {@code blocking} runs discovery scripts. {@code failing} ends the
 * application when the executor can never hold a task, because no other executor will come.
 */
public record OwnResources(
        Map<String, ResourceRequest> requests, TaskNeeds needs, Executor blocking, Consumer<HearthException> failing) {
    /** The driver's own resources, by the settings {@code hearth.driver.resource.*}. */
    public static Map<String, ResourceInformation> ofDriver(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Map<String, ResourceRequest> requested = ResourceRequest.ofDriver(in);
        in.finish();
        return ResourceDiscovery.find("driver", requested, Map.of());
    }

    /** Number of tasks that the executor runs at a time, by its cores. */
    int slots(int cores) {
        return Math.max(1, needs.slots(cores));
    }

    /** The addresses that tasks may use. The result fails if there are too few for one task, or too few cores. */
    CompletionStage<Map<String, ResourceInformation>> find(int cores) {
        if (needs.slots(cores) == 0) {
            return CompletableFuture.failedStage(ErrorCode.BAD_SETTING.failure("hearth.task.cpus: " + needs.cpus()
                    + " (expected: at most " + cores + ", the cores of the master); name a master with more cores"));
        }
        return requests.isEmpty()
                ? CompletableFuture.completedStage(Map.of())
                : CompletableFuture.supplyAsync(
                        () -> ResourceDiscovery.find("executor in the driver", requests, Map.of()), blocking);
    }

    void fail(Throwable failure) {
        failing.accept(Failures.asHearth(failure, ErrorCode.RESOURCE_MISSING, "resources of the executor"));
    }
}
