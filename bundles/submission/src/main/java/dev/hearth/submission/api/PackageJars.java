package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Jars of the packages that an application names in {@code hearth.jars.packages}. The resolver is called on a thread of
 * its own, which is interrupted when {@code stopped} completes, because the application is to end. Immutable.
 */
record PackageJars(PackageSource source, PackageListener listener, CompletableFuture<Void> stopped) {
    /**
     * Returns the jars, in the order of the class path; none if {@code settings} name no packages. Fails with {@code
     * APPLICATION_KILLED} if the application is stopped meanwhile, and as {@link PackageSource#resolve} does.
     */
    List<Path> of(Settings settings) throws InterruptedException {
        return areNamed(settings) ? await(PackageRequest.from(settings)) : List.of();
    }

    private static boolean areNamed(Settings settings) {
        return !settings.find(ApplicationSettings.PACKAGES.name()).orElse("").isBlank();
    }

    private List<Path> await(PackageRequest request) throws InterruptedException {
        CompletableFuture<List<Path>> resolved = new CompletableFuture<>();
        Thread thread = new Thread(() -> resolve(request, resolved), "hearth-packages");
        thread.setDaemon(true);
        thread.start();
        try {
            CompletableFuture.anyOf(resolved, stopped).get();
            if (!resolved.isDone()) {
                throw ErrorCode.APPLICATION_KILLED.failure(
                        "packages of the application: stopped while they were resolved (expected: to run to their end)");
            }
            return resolved.get();
        } catch (ExecutionException failed) {
            throw Failures.asHearth(failed, ErrorCode.INTERNAL, ApplicationSettings.PACKAGES.name());
        } finally {
            thread.interrupt(); // without effect on a call that has returned
        }
    }

    private void resolve(PackageRequest request, CompletableFuture<List<Path>> resolved) {
        try {
            resolved.complete(source.resolve(request, listener));
        } catch (Throwable failure) { // an Error too, because the resolver is code of another bundle
            resolved.completeExceptionally(failure);
        }
    }
}
