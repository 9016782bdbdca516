package dev.hearth.kubernetes.internal.sweep;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.PodLabels;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Runs one {@link Sweep} on an event loop: lists, decides, and sends the requests, each once. What fails is left to the
 * next sweep. Used once.
 */
public final class SweepShell {
    /** Age from which a secret without an owner belongs to no submission under way. */
    public static final Duration AGE = Duration.ofMinutes(10);

    private final ApiServer server;
    private final EventLoop loop;
    private final Duration age;
    private final List<ObjectFacts> secrets = new ArrayList<>();
    private final List<ObjectFacts> drivers = new ArrayList<>();
    private final CompletableFuture<Result> done = new CompletableFuture<>();
    private long serverSeconds;
    private int open;
    private Result result = new Result(0, 0, 0, "");

    /** Outcome of a sweep: numbers of objects, and the reason why it has ended early, or empty. */
    public record Result(int adopted, int deleted, int failed, String problem) {}

    public SweepShell(ApiServer server, EventLoop loop, Duration age) {
        this.server = server;
        this.loop = loop;
        this.age = age;
    }

    /** Sweeps the namespace of the API server. Call it on the loop, on which the result completes; it does not fail. */
    public CompletionStage<Result> run() {
        list(Resource.SECRET, Sweep.PENDING, "", secrets, () -> {
            if (secrets.isEmpty()) {
                done.complete(result);
            } else {
                list(Resource.POD, PodLabels.ROLE + "=driver", "", drivers, this::decide);
            }
        });
        return done;
    }

    private void list(Resource resource, String selector, String next, List<ObjectFacts> found, Runnable then) {
        server.list(
                resource,
                selector,
                next,
                answer -> loop.execute(() -> {
                    if (!(answer instanceof Answer.Page page)) {
                        done.complete(new Result(0, 0, 0, resource.plural() + ": " + Words.of(answer)));
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

    private void decide() {
        List<Sweep.Decision> decisions = Sweep.decide(secrets, drivers, serverSeconds, age);
        open = decisions.size();
        decisions.forEach(this::perform);
        if (decisions.isEmpty()) {
            done.complete(result);
        }
    }

    private void perform(Sweep.Decision decision) {
        ObjectFacts secret = decision.secret();
        switch (decision.action()) {
            case ADOPT -> {
                ObjectFacts pod = decision.pod().orElseThrow();
                server.patch(
                        Resource.SECRET,
                        secret.name(),
                        DriverObjects.adoption(pod.name(), pod.uid()),
                        answer -> loop.execute(() -> ended(answer, 1, 0)));
            }
            case DELETE_SECRET -> delete(Resource.SECRET, secret, OptionalInt.empty(), answer -> ended(answer, 0, 1));
            case DELETE_POD ->
                delete(Resource.POD, decision.pod().orElseThrow(), OptionalInt.of(0), answer -> {
                    if (answer instanceof Answer.Done || answer instanceof Answer.Missing) {
                        delete(Resource.SECRET, secret, OptionalInt.empty(), last -> ended(last, 0, 2));
                    } else {
                        ended(answer, 0, 0);
                    }
                });
        }
    }

    private void delete(Resource resource, ObjectFacts object, OptionalInt grace, Consumer<Answer> then) {
        server.delete(
                resource,
                object.name(),
                Optional.of(object.uid()),
                grace,
                answer -> loop.execute(() -> then.accept(answer)));
    }

    private void ended(Answer answer, int adopted, int deleted) {
        boolean success = answer instanceof Answer.Done || answer instanceof Answer.Missing;
        result = success
                ? new Result(result.adopted + adopted, result.deleted + deleted, result.failed, result.problem)
                : new Result(result.adopted, result.deleted, result.failed + 1, Words.of(answer));
        open--;
        if (open == 0) {
            done.complete(result);
        }
    }
}
