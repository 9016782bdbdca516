package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Drives a line with a ResourceManager and NodeManagers that a test scripts. */
@Timeout(60)
class DirectLineTest {
    private static final ContainerCapability SIZE = new ContainerCapability(1024, 1, Map.of());
    private static final GrantedContainer GRANT =
            new GrantedContainer("container_1", "a", "a:1", "a:2", "", SIZE, 1, 1);

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final ThreadEventLoop loop = new ThreadEventLoop("test", failure -> events.add("failure " + failure));
    private DirectLine line = line(Duration.ofSeconds(30));

    @AfterEach
    void stop() {
        loop.execute(line::abandon);
        answers.add(report());
        loop.close();
    }

    private DirectLine line(Duration patience) {
        return new DirectLine(
                loop,
                new Manager(),
                new Nodes(),
                new LineSettings(Duration.ofSeconds(20), patience, 2, "http://history/1"),
                new HadoopThreads("line"),
                Executors.newCachedThreadPool(new HadoopThreads("starts")));
    }

    private void open() throws InterruptedException {
        loop.execute(() -> line.open(new Owner()));
        assertEquals("register ", calls.take());
        assertEquals("registered 1 []", events.take());
        assertEquals("beat", calls.take()); // the first one is due at once
    }

    @Test
    void sendsOrdersWithTheNextBeatAndReportsTheAnswer() throws Exception {
        open();
        answers.add(report());
        assertEquals("reported []", events.take());
        loop.execute(() -> {
            line.order(new LineOrders(
                    List.of(new ContainerAsk(7, 1, 1, SIZE, List.of(), ContainerPlace.ANY)),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of()));
            line.beat(Duration.ZERO);
        });
        assertEquals("note [7]", calls.take());
        assertEquals("beat", calls.take());
        answers.add(report(GRANT));
        assertEquals("reported [container_1]", events.take());
    }

    @Test
    void reportsAnOutageOnceAndTheRegistrationBeforeTheNextReport() throws Exception {
        open();
        answers.add(new IOException("refused"));
        assertEquals("interrupted refused", events.take());
        assertEquals("beat", calls.take());
        answers.add(new IOException("refused"));
        assertEquals("beat", calls.take());
        answers.add(report(GRANT));
        assertEquals("registered 1 []", events.take(), "without the container that the report grants");
        assertEquals("reported [container_1]", events.take());
    }

    @Test
    void sendsOrdersThatComeDuringABeatWithoutWaitingForTheNextInterval() throws Exception {
        open(); // the first beat is under way
        loop.execute(() -> {
            line.order(new LineOrders(
                    List.of(new ContainerAsk(8, 1, 1, SIZE, List.of(), ContainerPlace.ANY)),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of()));
            line.beat(Duration.ZERO);
        });
        answers.add(report());
        assertEquals("note [8]", calls.take()); // the interval is 20 s
    }

    @Test
    void losesTheClusterOnceItsPatienceIsOver() throws Exception {
        loop.execute(line::abandon);
        assertEquals("close", calls.take());
        line = line(Duration.ofMillis(500));
        open();
        answers.add(new IOException("refused"));
        assertEquals("interrupted refused", events.take());
        assertEquals("beat", calls.take());
        answers.add(new IOException("refused"));
        assertEquals("lost CLUSTER_LOST", events.take());
        assertEquals("close", calls.take());
    }

    @Test
    void endsWithTheReasonOfTheResourceManager() throws Exception {
        open();
        answers.add(ErrorCode.CLUSTER_LOST.failure("the attempt is gone"));
        assertEquals("lost CLUSTER_LOST", events.take());
    }

    @Test
    void reportsStartsAndFailedStartsOfContainers() throws Exception {
        open();
        loop.execute(() -> line.start(GRANT, launch("run")));
        assertEquals("start run", calls.take());
        assertEquals("started container_1", events.take());
        loop.execute(() -> line.start(GRANT, launch("fail")));
        assertEquals("start fail", calls.take());
        String failed = events.take();
        assertTrue(
                failed.startsWith("startFailed container_1 NodeManager a:1: ") && failed.contains("no room"), failed);
    }

    @Test
    void unregistersOnceWithCutWordsAndReportsNothingMore() throws Exception {
        open();
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            line.finish(FinalOutcome.FAILED, "x".repeat(100_000));
            line.finish(FinalOutcome.SUCCEEDED, "").thenRun(() -> done.complete(null));
        });
        answers.add(report(GRANT)); // the beat that is under way
        assertEquals("unregister FAILED " + FinalWords.CHARACTERS_MAX + " http://history/1", calls.take());
        assertEquals("close", calls.take());
        done.get(20, TimeUnit.SECONDS);
        assertEquals(List.of(), List.copyOf(events));
    }

    @Test
    void completesItsEndWithinABoundIfTheResourceManagerDoesNotAnswer() throws Exception {
        open();
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> line.finish(FinalOutcome.SUCCEEDED, "").thenRun(() -> done.complete(null)));
        done.get(20, TimeUnit.SECONDS); // although the beat never returns
    }

    @Test
    void abandonsWithoutUnregistering() throws Exception {
        open();
        loop.execute(line::abandon);
        answers.add(report());
        assertEquals("close", calls.take());
    }

    @Test
    void tellsTheResourceManagerTheAddressOfThePages() throws Exception {
        open();
        answers.add(report());
        events.take();
        loop.execute(() -> {
            line.trackingUrl("http://driver:4040");
            line.beat(Duration.ZERO);
        });
        assertEquals("url http://driver:4040", calls.take());
        assertEquals("beat", calls.take());
    }

    private static ContainerLaunch launch(String command) {
        return new ContainerLaunch(
                "container_1", List.of(command), Map.of(), List.of(), Map.of(), Bytes.EMPTY, Map.of());
    }

    private static LineReport report(GrantedContainer... grants) {
        return new LineReport(List.of(grants), List.of(), List.of(), PreemptionNotice.NONE, SIZE, 1);
    }

    /** ResourceManager that answers each beat with what the test says. */
    private final class Manager implements ResourceManagerCalls {
        @Override
        public LineRegistration register(String trackingUrl) {
            calls.add("register " + trackingUrl);
            return registration();
        }

        @Override
        public LineRegistration registration() {
            return new LineRegistration(SIZE, List.of(), "default", 1);
        }

        @Override
        public void note(LineOrders orders) {
            calls.add("note " + orders.asks().stream().map(ContainerAsk::key).toList());
        }

        @Override
        public LineReport beat() throws IOException, InterruptedException {
            calls.add("beat");
            Object answer = answers.take();
            if (answer instanceof IOException unreachable) {
                throw unreachable;
            }
            if (answer instanceof HearthException gone) {
                throw gone;
            }
            return (LineReport) answer;
        }

        @Override
        public void trackingUrl(String url) {
            calls.add("url " + url);
        }

        @Override
        public void unregister(FinalOutcome outcome, String words, String history) {
            calls.add("unregister " + outcome + " " + words.length() + " " + history);
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    /** NodeManagers that refuse the command {@code fail}. */
    private final class Nodes implements ContainerCalls {
        @Override
        public void start(GrantedContainer container, ContainerLaunch launch) throws IOException {
            String command = launch.command().get(0);
            calls.add("start " + command);
            if (command.equals("fail")) {
                throw new IOException("no room");
            }
        }

        @Override
        public void stop(GrantedContainer container) {
            calls.add("stop");
        }

        @Override
        public void close() {}
    }

    private final class Owner implements LineListener {
        @Override
        public void registered(LineRegistration registration) {
            events.add("registered " + registration.attempt() + " " + registration.previous());
        }

        @Override
        public void replaced(LineRegistration registration) {
            events.add("replaced");
        }

        @Override
        public void reported(LineReport report) {
            events.add("reported "
                    + report.granted().stream().map(GrantedContainer::id).toList());
        }

        @Override
        public void started(String container) {
            events.add("started " + container);
        }

        @Override
        public void startFailed(String container, String why) {
            events.add("startFailed " + container + " " + why);
        }

        @Override
        public void interrupted(String why) {
            events.add("interrupted " + why.replaceFirst(".*: ", ""));
        }

        @Override
        public void lost(HearthException why) {
            events.add("lost " + Failures.code(why));
        }
    }
}
