package example.containers;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Drivers of submissions in cluster mode, each a process. The name of its directory is the id of the submission. */
final class ContainerDrivers {
    private final ProcessLauncher processes;
    private final ApplicationLoaders loaders;

    ContainerDrivers(ProcessLauncher processes, ApplicationLoaders loaders) {
        this.processes = processes;
        this.loaders = loaders;
    }

    CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, SubmissionServices services, SubmissionListener listener) {
        return CompletableFuture.supplyAsync(() -> Container.inNewDirectory("driver"), services.blocking())
                .thenApplyAsync(container -> start(container, plan, services, listener), services.blocking());
    }

    CompletionStage<SubmissionStatus> status(SubmissionId submission, SubmissionServices services) {
        return CompletableFuture.supplyAsync(() -> process(submission), services.blocking())
                .thenApply(process -> running(submission));
    }

    CompletionStage<SubmissionStatus> kill(SubmissionId submission, SubmissionServices services) {
        return CompletableFuture.supplyAsync(() -> process(submission), services.blocking())
                .thenApply(process -> {
                    process.destroy();
                    return running(submission);
                });
    }

    private SubmissionId start(
            Container container, SubmissionPlan plan, SubmissionServices services, SubmissionListener listener) {
        SubmissionId submission = new SubmissionId(container.name());
        SettingsReader in = new SettingsReader(plan.settings());
        int heapMebibytes = ContainerSize.ofDriver(in).heapMebibytes();
        in.finish();
        LaunchOptions options = LaunchOptions.ofDriver(plan.settings());
        Process process;
        try (BundleSet frozen = loaders.freezeForDriver()) {
            for (FrozenBundle bundle : frozen.bundles()) {
                Path jar = frozen.jar(bundle.content()).orElseThrow();
                Files.copy(jar, container.directory().resolve(bundle.content().sha256()));
            }
            CarriedBundles carried = new CarriedBundles(frozen.bundles(), List.of(container.directory()));
            process = container.start(
                    processes,
                    services.home(),
                    "driver",
                    carried.in(DriverOrders.of(submission, plan)),
                    options,
                    heapMebibytes);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        services.loop().execute(() -> listener.changed(running(submission)));
        process.onExit()
                .thenApplyAsync(ended -> ended(submission, ended.exitValue(), container), services.blocking())
                .thenAcceptAsync(listener::changed, services.loop());
        return submission;
    }

    /** The process of a driver that runs. */
    private static ProcessHandle process(SubmissionId submission) {
        Container container = new Container(Path.of(System.getProperty("java.io.tmpdir"), submission.value()));
        return Optional.of(container)
                .filter(known -> Files.isRegularFile(known.directory().resolve("pid")))
                .flatMap(known -> ProcessHandle.of(Long.parseLong(known.text("pid"))))
                .orElseThrow(() -> ErrorCode.SUBMISSION_UNKNOWN.failure(
                        "submission " + submission + ": no such driver runs on this machine (expected: one)"));
    }

    private static SubmissionStatus running(SubmissionId submission) {
        return status(submission, SubmissionState.RUNNING, OptionalInt.empty(), "", "");
    }

    private static SubmissionStatus ended(SubmissionId submission, int exitStatus, Container container) {
        SubmissionStatus status = status(
                submission,
                exitStatus == 0 ? SubmissionState.FINISHED : SubmissionState.FAILED,
                OptionalInt.of(exitStatus),
                container.text("stdout"),
                container.text("stderr"));
        container.remove();
        return status;
    }

    private static SubmissionStatus status(
            SubmissionId submission, SubmissionState state, OptionalInt exitStatus, String output, String errors) {
        return new SubmissionStatus(submission, state, "this machine", "", exitStatus, output, errors);
    }
}
