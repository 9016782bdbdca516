package dev.hearth.testkit;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionGateway;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.cluster.UploadStatus.Stage;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Gateway that records requests and knows the submissions that a test gives it. Accepts each request as {@code
 * driver-1}, {@code driver-2} and so on, unless a test sets a failure. Used by one thread.
 */
public final class TestingSubmissionGateway implements SubmissionGateway {
    private final List<Request> requests = new ArrayList<>();
    private final List<String> questions = new ArrayList<>();
    private final Map<SubmissionId, SubmissionStatus> statuses = new LinkedHashMap<>();
    private final Map<ContentId, UploadStatus> uploads = new LinkedHashMap<>();
    private Optional<MasterUrl> own;
    private MasterUrl master = MasterUrl.parse("hearth://master:7077");
    private String state = ClusterClient.ALIVE;
    private @Nullable Throwable failure;
    private boolean silent;

    /** Request to submit an application, as a front end has made it. */
    public record Request(
            List<String> arguments, Settings settings, Map<String, String> environment, String requestId) {}

    /** Creates the gateway of a master at {@code hearth://master:7077}. */
    public TestingSubmissionGateway() {
        this.own = Optional.of(master);
    }

    /** Turns this into the gateway of a process that is no master, and whose settings name {@code url}. */
    public TestingSubmissionGateway elsewhere(String url) {
        own = Optional.empty();
        master = MasterUrl.parse(url);
        return this;
    }

    /** Lets the master be in {@code now}, a state of Spark's masters. */
    public void state(String now) {
        state = now;
    }

    /** Lets all further requests fail. */
    public void failWith(Throwable reason) {
        failure = reason;
    }

    /** Lets all further requests remain without an answer. */
    public void beSilent() {
        silent = true;
    }

    /** Sets the status of a submission that this gateway then knows. */
    public void put(SubmissionStatus status) {
        statuses.put(status.submission(), status);
    }

    public List<Request> requests() {
        return requests;
    }

    /** The calls about submissions, as texts such as {@code kill driver-1 on hearth://master:7077}. */
    public List<String> questions() {
        return questions;
    }

    @Override
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan, MasterUrl to) {
        return submit(plan.arguments(), plan.settings(), plan.environment(), plan.requestId());
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            List<String> arguments, Settings settings, Map<String, String> environment, String requestId) {
        requests.add(new Request(arguments, settings, environment, requestId));
        SubmissionId id = new SubmissionId("driver-" + requests.size());
        CompletionStage<SubmissionId> answer = answer(id);
        if (failure == null) {
            put(new SubmissionStatus(id, SubmissionState.RUNNING, "", "", OptionalInt.empty(), "", ""));
        }
        return answer;
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern, MasterUrl of) {
        questions.add("status " + pattern + " on " + of);
        return answer(matching(pattern));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern, MasterUrl of) {
        questions.add("kill " + pattern + " on " + of);
        return answer(matching(pattern));
    }

    @Override
    public CompletionStage<Integer> clear(MasterUrl of) {
        questions.add("clear " + of);
        int ended = (int) statuses.values().stream()
                .filter(status -> status.state().isFinal())
                .count();
        return answer(ended);
    }

    @Override
    public CompletionStage<UploadStatus> held(ContentId content, MasterUrl of) {
        questions.add("held " + content + " on " + of);
        return answer(uploads.getOrDefault(content, new UploadStatus(Stage.PARTIAL, 0)));
    }

    /** Keeps the number of bytes of each file, but not the bytes. */
    @Override
    public CompletionStage<UploadStatus> take(ContentPiece piece, MasterUrl of) {
        questions.add("take " + piece + " on " + of);
        if (failure != null) {
            return answer(new UploadStatus(Stage.PARTIAL, 0));
        }
        UploadStatus before = uploads.getOrDefault(piece.content(), new UploadStatus(Stage.PARTIAL, 0));
        if (before.stage() == Stage.HELD) {
            return answer(before);
        }
        if (piece.first() != before.bytes()) {
            return answer(new UploadStatus(Stage.MISPLACED, before.bytes()));
        }
        long bytes = piece.first() + piece.bytes().size();
        uploads.put(piece.content(), new UploadStatus(piece.isLast() ? Stage.HELD : Stage.PARTIAL, bytes));
        return answer(new UploadStatus(piece.isLast() ? Stage.COMPLETED : Stage.PARTIAL, bytes));
    }

    @Override
    public MasterUrl master() {
        if (master.scheme().equals("none")) {
            throw ErrorCode.BAD_ARGUMENT.failure("master: none named (expected: one)");
        }
        return master;
    }

    @Override
    public Optional<MasterUrl> own() {
        return own;
    }

    @Override
    public String state() {
        return state;
    }

    @Override
    public List<ClusterCounts> counts() {
        return List.of(new ClusterCounts(master.text(), 0, requests.size(), 0, 0, true));
    }

    private <T> CompletionStage<T> answer(T value) {
        if (silent) {
            return new CompletableFuture<>();
        }
        return failure == null ? CompletableFuture.completedStage(value) : CompletableFuture.failedStage(failure);
    }

    private List<SubmissionStatus> matching(SubmissionPattern pattern) {
        return statuses.values().stream()
                .filter(status -> pattern.matches(status.submission()))
                .toList();
    }
}
