package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.submission.SubmissionEffect.RequestKind;
import dev.hearth.spi.loop.EventLoop;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Owns a {@link Submission} on the submitter's event loop, and sends its requests. Used once. */
final class SubmissionShell implements SubmissionEffect.Handler {
    private final ApiServer server;
    private final EventLoop loop;
    private final DriverObjects objects;
    private final ServerVersion version;
    private final Consumer<String> warnings;
    private final Submission submission;
    private final CompletableFuture<String> accepted = new CompletableFuture<>();
    private Map<RequestKind, ApiObject> dependents = Map.of(); // known once the secret exists

    SubmissionShell(
            ApiServer server,
            EventLoop loop,
            DriverObjects objects,
            ServerVersion version,
            Submission.Times times,
            Consumer<String> warnings) {
        this.server = server;
        this.loop = loop;
        this.objects = objects;
        this.version = version;
        this.warnings = warnings;
        Set<RequestKind> further = EnumSet.noneOf(RequestKind.class);
        further.addAll(byKind(objects, "").keySet());
        this.submission = new Submission(
                new Submission.Names(
                        server.namespace(),
                        objects.secretName(),
                        objects.podName(),
                        objects.identity().nonce()),
                times,
                objects.claims("", version).stream().map(ApiObject::name).toList(),
                further);
    }

    /**
     * Creates the objects. Completes with the uid of the driver's pod; fails with {@code SUBMISSION_REFUSED}, {@code
     * CLUSTER_UNREACHABLE} or, after {@link #stop}, {@code APPLICATION_KILLED}. Call it on the loop.
     */
    CompletionStage<String> begin() {
        perform(submission.begin(now()));
        return accepted;
    }

    /** Deletes what was created, unless the cluster has accepted the submission. Call it on the loop. */
    void stop() {
        perform(submission.stop(now()));
    }

    @Override
    public void onSend(SubmissionEffect.Send effect) {
        RequestKind kind = effect.kind();
        Consumer<Answer> answer = given -> loop.execute(() -> perform(submission.answered(kind, given, now())));
        switch (kind) {
            case CREATE_SECRET -> server.create(objects.secret(), answer);
            case CREATE_CLAIM ->
                server.create(objects.claims(submission.secretUid(), version).get(submission.claimsPlaced()), answer);
            case CREATE_DRIVER -> server.create(objects.pod(), answer);
            case CREATE_SERVICE, CREATE_POLICY -> server.create(dependent(kind), answer);
            case ADOPT ->
                server.patch(
                        Resource.SECRET,
                        objects.secretName(),
                        DriverObjects.adoption(objects.podName(), submission.podUid()),
                        answer);
            case READ_DRIVER -> server.read(Resource.POD, objects.podName(), answer);
            case DELETE_DRIVER ->
                server.delete(
                        Resource.POD,
                        objects.podName(),
                        Optional.of(submission.podUid()),
                        OptionalInt.of(0), // it has hardly begun
                        answer);
            case DELETE_SECRET ->
                server.delete(
                        Resource.SECRET,
                        objects.secretName(),
                        Optional.of(submission.secretUid()),
                        OptionalInt.empty(),
                        answer);
            case CANCEL -> server.patch(Resource.SECRET, objects.secretName(), DriverObjects.cancellation(), answer);
        }
    }

    @Override
    public void onWake(SubmissionEffect.Wake effect) {
        loop.schedule(effect.after(), () -> perform(submission.wake(now())));
    }

    @Override
    public void onAccepted(SubmissionEffect.Accepted effect) {
        accepted.complete(effect.podUid());
    }

    @Override
    public void onRefused(SubmissionEffect.Refused effect) {
        accepted.completeExceptionally(effect.code()
                .failure("submission of " + objects.identity().name() + ": " + effect.words()
                        + " (expected: a driver's pod that the cluster accepts)"));
    }

    @Override
    public void onWarn(SubmissionEffect.Warn effect) {
        warnings.accept("warning: " + effect.words());
    }

    private ApiObject dependent(RequestKind kind) {
        if (dependents.isEmpty()) {
            dependents = byKind(objects, submission.secretUid());
        }
        ApiObject found = dependents.get(kind);
        if (found == null) {
            throw new IllegalStateException(kind + ": no such object (expected: one of " + dependents.keySet() + ")");
        }
        return found;
    }

    private static Map<RequestKind, ApiObject> byKind(DriverObjects objects, String owner) {
        Map<RequestKind, ApiObject> dependents = new EnumMap<>(RequestKind.class);
        objects.dependents(owner)
                .forEach(object -> dependents.put(
                        object.resource() == Resource.SERVICE ? RequestKind.CREATE_SERVICE : RequestKind.CREATE_POLICY,
                        object));
        return dependents;
    }

    private void perform(List<SubmissionEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
