package dev.hearth.kubernetes.internal.sweep;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.PodLabels;
import dev.hearth.kubernetes.internal.sweep.SweepResult.Action;
import dev.hearth.kubernetes.internal.sweep.SweepResult.Outcome;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs one sweep of {@link Sweep} and {@link AnchorLooks} on an event loop: lists, decides, and sends the requests, each
 * once. What fails is left to the next sweep. Used once.
 */
public final class SweepShell {
    /** Age from which a secret without an owner belongs to no submission under way. */
    public static final Duration AGE = Duration.ofMinutes(10);

    private final ApiServer server;
    private final EventLoop loop;
    private final Duration age;
    private final boolean dryRun;
    private final List<ObjectFacts> pending = new ArrayList<>();
    private final List<ObjectFacts> anchors = new ArrayList<>();
    private final List<ObjectFacts> drivers = new ArrayList<>();
    private final List<ObjectFacts> executors = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final CompletableFuture<SweepResult> done = new CompletableFuture<>();
    private long serverSeconds;
    private int open;

    public SweepShell(ApiServer server, EventLoop loop, Duration age) {
        this(server, loop, age, false);
    }

    /** {@code dryRun} decides and changes nothing. */
    public SweepShell(ApiServer server, EventLoop loop, Duration age, boolean dryRun) {
        this.server = server;
        this.loop = loop;
        this.age = age;
        this.dryRun = dryRun;
    }

    /** Sweeps the namespace of the API server. Call it on the loop, on which the result completes; it does not fail. */
    public CompletionStage<SweepResult> run() {
        List<ObjectFacts> secrets = new ArrayList<>();
        list(Resource.SECRET, Sweep.PENDING, "", secrets, () -> {
            Predicate<ObjectFacts> isAnchor =
                    secret -> secret.label(DriverObjects.PENDING).equals(DriverObjects.ANCHOR);
            secrets.stream().filter(isAnchor).forEach(anchors::add);
            secrets.stream().filter(isAnchor.negate()).forEach(pending::add);
            listDrivers();
        });
        return done;
    }

    private void listDrivers() {
        if (pending.isEmpty()) {
            listExecutors();
        } else {
            list(Resource.POD, PodLabels.ROLE + "=driver", "", drivers, this::listExecutors);
        }
    }

    private void listExecutors() {
        List<ObjectFacts> still = AnchorLooks.still(anchors, serverSeconds, age);
        if (still.isEmpty()) {
            decide(still);
        } else {
            list(Resource.POD, AnchorLooks.executors(still), "", executors, () -> decide(still));
        }
    }

    private void list(Resource resource, String selector, String next, List<ObjectFacts> found, Runnable then) {
        server.list(
                resource,
                selector,
                next,
                answer -> loop.execute(() -> {
                    if (!(answer instanceof Answer.Page page)) {
                        done.complete(new SweepResult(outcomes, resource.plural() + ": " + Words.of(answer)));
                        return;
                    }
                    if (resource == Resource.SECRET) {
                        serverSeconds = page.serverSeconds();
                    }
                    found.addAll(page.objects());
                    if (page.next().isEmpty()) {
                        then.run();
                    } else {
                        list(resource, selector, page.next(), found, then);
                    }
                }));
    }

    private void decide(List<ObjectFacts> still) {
        open = 1;
        Sweep.decide(pending, drivers, serverSeconds, age).forEach(this::perform);
        for (ObjectFacts anchor : still) {
            if (AnchorLooks.isInUse(anchor, executors)) {
                outcomes.add(new Outcome(Action.IN_USE, secret(anchor), ""));
            } else {
                send(
                        Action.DELETED,
                        secret(anchor),
                        answer -> server.deleteUnchanged(Resource.SECRET, anchor, answer),
                        () -> {});
            }
        }
        for (ObjectFacts anchor : AnchorLooks.toNote(anchors, serverSeconds, age)) {
            send(
                    Action.NOTED,
                    secret(anchor),
                    answer -> server.patch(
                            Resource.SECRET, anchor.name(), AnchorLooks.note(anchor, serverSeconds), answer),
                    () -> {});
        }
        ended();
    }

    private void perform(Sweep.Decision decision) {
        ObjectFacts secret = decision.secret();
        switch (decision.action()) {
            case ADOPT -> {
                ObjectFacts pod = decision.pod().orElseThrow();
                send(
                        Action.ADOPTED,
                        secret(secret),
                        answer -> server.patch(
                                Resource.SECRET, secret.name(), DriverObjects.adoption(pod.name(), pod.uid()), answer),
                        () -> {});
            }
            case DELETE_SECRET -> deleteSecret(secret);
            case DELETE_POD -> {
                ObjectFacts pod = decision.pod().orElseThrow();
                send(
                        Action.DELETED,
                        "pod " + pod.name(),
                        answer -> delete(Resource.POD, pod, OptionalInt.of(0), answer),
                        () -> deleteSecret(secret));
            }
        }
    }

    private void deleteSecret(ObjectFacts secret) {
        send(
                Action.DELETED,
                secret(secret),
                answer -> delete(Resource.SECRET, secret, OptionalInt.empty(), answer),
                () -> {});
    }

    private void delete(Resource resource, ObjectFacts object, OptionalInt grace, Consumer<Answer> answer) {
        server.delete(resource, object.name(), Optional.of(object.uid()), grace, answer);
    }

    /** Sends one request and notes its outcome; {@code then} follows if it succeeds. */
    private void send(Action action, String object, Consumer<Consumer<Answer>> request, Runnable then) {
        if (dryRun) {
            outcomes.add(new Outcome(action, object, ""));
            then.run();
            return;
        }
        open++;
        request.accept(answer -> loop.execute(() -> {
            boolean success = answer instanceof Answer.Done || answer instanceof Answer.Missing;
            outcomes.add(new Outcome(action, object, success ? "" : Words.of(answer)));
            if (success) {
                then.run();
            }
            ended();
        }));
    }

    private void ended() {
        open--;
        if (open == 0) {
            done.complete(new SweepResult(outcomes, ""));
        }
    }

    private static String secret(ObjectFacts secret) {
        return "secret " + secret.name();
    }
}
