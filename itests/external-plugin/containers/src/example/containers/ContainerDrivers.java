package example.containers;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Drivers of submissions in cluster mode. The name of a driver's container is the id of its submission. */
final class ContainerDrivers {
    private static final String PURPOSE = "driver";

    private final ContainerRuntime runtime;
    private final ApplicationLoaders loaders;

    ContainerDrivers(ContainerRuntime runtime, ApplicationLoaders loaders) {
        this.runtime = runtime;
        this.loaders = loaders;
    }

    CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, SubmissionServices services, SubmissionListener listener) {
        SettingsReader in = new SettingsReader(plan.settings());
        int heapMebibytes = ContainerSize.ofDriver(in).heapMebibytes();
        LaunchOptions options = LaunchOptions.ofDriver(in);
        in.finish();
        return CompletableFuture.supplyAsync(loaders::freezeForDriver, services.blocking())
                .thenCompose(bundles -> runtime.create(PURPOSE)
                        .thenCompose(name -> start(new SubmissionId(name), plan, bundles, heapMebibytes, options))
                        .whenComplete((container, failure) -> bundles.close()))
                .thenApplyAsync(container -> watch(container, services, listener), services.loop());
    }

    CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        return runtime.running(PURPOSE)
                .thenApply(found -> found.entrySet().stream()
                        .map(driver -> running(new SubmissionId(driver.getKey()), driver.getValue()))
                        .filter(status -> pattern.matches(status.submission()))
                        .toList());
    }

    CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        return status(pattern).thenCompose(found -> {
            CompletionStage<List<SubmissionStatus>> killed = CompletableFuture.completedStage(new ArrayList<>());
            for (SubmissionStatus status : found) {
                killed = killed.thenCombine(runtime.stop(status.submission().value()), (running, ran) -> {
                    if (ran) {
                        running.add(status);
                    }
                    return running;
                });
            }
            return killed;
        });
    }

    private CompletionStage<ContainerRuntime.Container> start(
            SubmissionId submission, SubmissionPlan plan, BundleSet bundles, int heapMebibytes, LaunchOptions options) {
        Path directory = runtime.directory(submission.value());
        Map<String, Path> jars = new LinkedHashMap<>();
        for (FrozenBundle bundle : bundles.bundles()) {
            jars.put(bundle.content().sha256(), bundles.jar(bundle.content()).orElseThrow());
        }
        Map<String, String> orders = DriverOrders.seated(DriverOrders.of(submission, plan));
        CarriedBundles carried = new CarriedBundles(bundles.bundles(), List.of(directory));
        ChildSpec spec =
                new ChildSpec("driver", ChildSpec.heap(heapMebibytes), carried.in(orders), directory).with(options);
        return runtime.start(spec, jars);
    }

    private SubmissionId watch(
            ContainerRuntime.Container container, SubmissionServices services, SubmissionListener listener) {
        SubmissionId submission = new SubmissionId(container.name());
        listener.changed(running(submission, ""));
        container
                .ended()
                .whenCompleteAsync(
                        (end, failure) -> {
                            if (failure == null) {
                                remove(submission, end, services, listener);
                            } else {
                                listener.lost("container " + submission + ": " + Failures.describe(failure));
                            }
                        },
                        services.loop());
        return submission;
    }

    private void remove(
            SubmissionId submission,
            ContainerRuntime.End end,
            SubmissionServices services,
            SubmissionListener listener) {
        runtime.remove(submission.value())
                .whenCompleteAsync(
                        (removed, failure) -> {
                            if (failure != null) {
                                listener.said(
                                        "container " + submission + ": not removed: " + Failures.describe(failure));
                            }
                            if (!end.note().isEmpty()) {
                                listener.said("container " + submission + ": " + end.note());
                            }
                            listener.changed(ended(submission, end));
                        },
                        services.loop());
    }

    private SubmissionStatus running(SubmissionId submission, String note) {
        Path directory = runtime.directory(submission.value());
        return new SubmissionStatus(
                submission,
                SubmissionState.RUNNING,
                "this machine",
                note,
                OptionalInt.empty(),
                "",
                "",
                ChildSpec.logLinks("localhost", directory.toString()),
                1);
    }

    private static SubmissionStatus ended(SubmissionId submission, ContainerRuntime.End end) {
        SubmissionState state = end.exit().status().orElse(1) == 0 ? SubmissionState.FINISHED : SubmissionState.FAILED;
        return new SubmissionStatus(
                submission,
                end.isStopped() ? SubmissionState.KILLED : state,
                "this machine",
                end.note(),
                end.exit().status(),
                end.exit().output(),
                end.exit().errors());
    }
}
