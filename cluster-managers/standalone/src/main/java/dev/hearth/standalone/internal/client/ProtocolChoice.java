package dev.hearth.standalone.internal.client;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.rest.RestSubmitter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Choice between the protocol of Hearth and Spark's REST protocol, for one command. REST is used first if the setting of
 * Spark asks for it, and otherwise if a server of HTTP answers at the port of the master. Owned by the
 * submitter's event loop.
 */
final class ProtocolChoice {
    /** Spark's setting; masters of Hearth serve the protocol on a port of its own if it is set there. */
    private static final SettingKey<Boolean> WANTED =
            SettingKey.flag("hearth.master.rest.enabled", false, "Whether submissions use the REST protocol.");

    private final MasterUrl master;
    private final SubmissionServices services;
    private final boolean restFirst;

    ProtocolChoice(MasterUrl master, SubmissionServices services) {
        this.master = master;
        this.services = services;
        SettingsReader in = new SettingsReader(services.settings());
        this.restFirst = in.read(WANTED);
        in.finish();
    }

    CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, SubmissionListener listener, Supplier<CompletionStage<SubmissionId>> own) {
        return choose(
                rest -> rest.submit(plan, listener, restFirst),
                own,
                () -> listener.said("Warning: Master endpoint " + master.text()
                        + " was not a REST server. Falling back to legacy submission gateway instead."));
    }

    CompletionStage<SubmissionStatus> status(SubmissionId submission, Supplier<CompletionStage<SubmissionStatus>> own) {
        return choose(rest -> rest.status(submission), own, () -> {});
    }

    CompletionStage<SubmissionStatus> kill(SubmissionId submission, Supplier<CompletionStage<SubmissionStatus>> own) {
        return choose(rest -> rest.kill(submission), own, () -> {});
    }

    private <T> CompletionStage<T> choose(
            Function<RestSubmitter, CompletionStage<Optional<T>>> byRest,
            Supplier<CompletionStage<T>> own,
            Runnable fallingBack) {
        if (restFirst) {
            return byRest.apply(rest())
                    .thenCompose(answer -> answer.map(CompletableFuture::completedStage)
                            .orElseGet(() -> {
                                fallingBack.run();
                                return own.get();
                            }));
        }
        return own.get()
                .handle((answer, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(answer);
                    }
                    return isHttp(failure)
                            ? byRest.apply(rest())
                                    .thenCompose(found -> found.map(CompletableFuture::completedStage)
                                            .orElseGet(() -> CompletableFuture.failedStage(failure)))
                            : CompletableFuture.<T>failedStage(failure);
                })
                .thenCompose(stage -> stage);
    }

    private RestSubmitter rest() {
        return new RestSubmitter(
                master, MasterAddresses.parse(master), HttpAccess.from(services.settings()), services.loop());
    }

    /** Whether a server of HTTP has answered, so that nothing was asked of a master yet. */
    private static boolean isHttp(Throwable failure) {
        Throwable unwrapped =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return unwrapped instanceof HearthException unreachable
                && unreachable.code().equals(ErrorCode.CLUSTER_UNREACHABLE.name())
                && isAnsweredByHttp(unreachable.getCause());
    }

    /** Whether a connection has failed because a server of HTTP has answered. */
    static boolean isAnsweredByHttp(@Nullable Throwable refused) {
        return refused instanceof HearthException cause
                && cause.code().equals(ErrorCode.PROTOCOL_MISMATCH.name())
                && String.valueOf(cause.getMessage()).contains(RpcEnv.LOOKS_LIKE_HTTP);
    }
}
