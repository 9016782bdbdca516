package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.PinnedStores;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** Checks that all files of a submission can be provided where its driver runs. Stateless. */
public final class ResourceSchemes {
    private ResourceSchemes() {}

    /**
     * Fails with {@code BAD_ARGUMENT} if a resource of {@code plan} has a scheme that is neither a path, nor among those
     * that the cluster manager takes, {@code ofManager}, nor served by a file store of this installation.
     */
    public static void require(SubmissionPlan plan, Supplier<Set<String>> ofManager, FileStoreRegistry stores) {
        for (SubmissionResource resource : plan.resources()) {
            if (!resource.isPath() && !ofManager.get().contains(resource.scheme())) {
                requireStore(resource, ofManager.get(), stores);
            }
        }
    }

    private static void requireStore(SubmissionResource resource, Set<String> ofManager, FileStoreRegistry stores) {
        try {
            PinnedStores pin = stores.pin(resource.scheme(), "submission");
            pin.close();
        } catch (HearthException none) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject(resource) + ": " + none.getMessage() + "; the cluster itself takes " + ofManager, none);
        }
    }

    /** Begin of messages about a resource: its kind and its address, without secrets. */
    static String subject(SubmissionResource resource) {
        return resource.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " '"
                + Secrets.shownAddress(resource.toString()) + "'";
    }
}
