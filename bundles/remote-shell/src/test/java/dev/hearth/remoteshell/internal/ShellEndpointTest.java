package dev.hearth.remoteshell.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.remoteshell.internal.ShellProtocol.Ended;
import dev.hearth.remoteshell.internal.ShellProtocol.Interrupt;
import dev.hearth.remoteshell.internal.ShellProtocol.More;
import dev.hearth.remoteshell.internal.ShellProtocol.Piece;
import dev.hearth.remoteshell.internal.ShellProtocol.Resized;
import dev.hearth.remoteshell.internal.ShellProtocol.Run;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.shell.CommandRunner;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.LineTerminal;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Kernel and shells on virtual time; the test decides when a command ends. */
class ShellEndpointTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final RpcAddress ADDRESS = new RpcAddress("kernel", 7077);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess kernel = simulation.process("kernel");
    private final EventLoop loop = kernel.loop("remote-shell");
    private final List<HeldLine> lines = new ArrayList<>();
    private final List<LineTerminal> terminals = new ArrayList<>();
    private final ShellEndpoint endpoint = new ShellEndpoint(loop, new Runner(), this::thread);

    /** Answers lines, and lets the test print for those that are streamed. */
    private final class Runner implements CommandRunner {
        @Override
        public CommandResult run(String line, int width) {
            return answer(line, width);
        }

        @Override
        public int run(String line, LineTerminal terminal) {
            terminals.add(terminal);
            terminal.print(line + " begins at " + terminal.width() + "\n");
            return 7;
        }
    }

    ShellEndpointTest() {
        RpcEnv env = kernel.env(ADDRESS.host(), ADDRESS.port());
        Registration registration = env.register(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL, loop, endpoint);
        kernel.onCrash(registration::close);
    }

    private static CommandResult answer(String line, int width) {
        if (line.equals("broken")) {
            throw new NoClassDefFoundError("some/Missing");
        }
        return new CommandResult(3, line + " at " + width, "e");
    }

    @Test
    void freesTheSlotOfAFailedCommand() {
        Peer shell = connect("shell");
        CompletableFuture<Ended> broken = ask(shell, "broken");
        lines.get(0).end();
        simulation.runFor(Duration.ofSeconds(1));
        assertTrue(broken.isCompletedExceptionally());
        CompletableFuture<Ended> next = ask(shell, "next");
        lines.get(1).end();
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals("next at 80", next.join().output());
    }

    @Test
    void answersWithOutputAndStatus() {
        CompletableFuture<Ended> ended = ask(connect("shell"), "info");
        lines.get(0).end();
        simulation.runFor(TIMEOUT.dividedBy(2));
        assertEquals(new Ended(3, "info at 80", "e"), ended.join());
    }

    @Test
    void sendsOutputWhileTheLineRuns() {
        EndpointRef shell = connect("shell").endpoint(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL);
        CompletableFuture<Ended> ended = shell.ask(new Run("jobs", 90, true, false), Ended.class, TIMEOUT)
                .toCompletableFuture();
        CompletableFuture<Piece> first = more(shell);
        assertFalse(first.isDone());
        lines.get(0).end();
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals(new Piece("jobs begins at 90\n", ""), first.join());
        assertEquals(new Ended(7, "", ""), ended.join());
        assertEquals(new Piece("", ""), more(shell).join(), "no line runs");
    }

    @Test
    void sendsTheRestWithTheStatusAndTellsOfNewWidths() {
        EndpointRef shell = connect("shell").endpoint(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL);
        List<Integer> widths = new ArrayList<>();
        CompletableFuture<Ended> ended = shell.ask(new Run("jobs", 90, true, false), Ended.class, TIMEOUT)
                .toCompletableFuture();
        simulation.runFor(Duration.ofSeconds(1));
        shell.send(new Resized(120));
        simulation.runFor(Duration.ofSeconds(1));
        lines.get(0).end();
        terminals.get(0).whenResized(widths::add);
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals(new Ended(7, "jobs begins at 90\n", ""), ended.join());
        assertEquals(List.of(), widths, "the line has ended");
    }

    private CompletableFuture<Piece> more(EndpointRef shell) {
        CompletableFuture<Piece> more =
                shell.ask(new More(), Piece.class, TIMEOUT).toCompletableFuture();
        simulation.runFor(Duration.ofSeconds(1));
        return more;
    }

    @Test
    void runsTheCommandsOfASessionSequentially() {
        Peer shell = connect("shell");
        CompletableFuture<Ended> first = ask(shell, "first");
        assertRefused(
                "a command line of this session already running (expected: at most 1 for each session",
                ask(shell, "second"));
        lines.get(0).end();
        simulation.runFor(Duration.ofSeconds(1));
        CompletableFuture<Ended> third = ask(shell, "third");
        lines.get(1).end();
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals("first at 80", first.join().output());
        assertEquals("third at 80", third.join().output());
    }

    @Test
    void runsSessionsConcurrentlyUpToALimit() {
        for (int shell = 0; shell < ShellEndpoint.LINES_MAX; shell++) {
            assertFalse(ask(connect("shell-" + shell), "line").isDone());
        }
        assertEquals(ShellEndpoint.LINES_MAX, lines.size());
        assertRefused(
                "16 command lines already running (expected: at most 1 for each session, and 16 for all sessions)",
                ask(connect("late"), "line"));
    }

    @Test
    void interruptsAnAbandonedCommand() {
        Peer shell = connect("shell");
        CompletableFuture<Ended> ended = ask(shell, "long");
        shell.endpoint(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL).send(new Interrupt());
        simulation.runFor(Duration.ofSeconds(1));
        assertTrue(lines.get(0).interrupted);
        lines.get(0).end();
        simulation.runFor(Duration.ofSeconds(1));
        assertTrue(ended.isDone());
    }

    @Test
    void interruptsOnlyTheCommandOfALostPeer() {
        CompletableFuture<Ended> kept = ask(connect("kept"), "kept");
        SimulatedProcess lost = simulation.process("lost");
        CompletableFuture<Ended> gone = ask(connect(lost), "gone");
        lost.crash();
        simulation.runFor(TIMEOUT.dividedBy(2));
        assertFalse(lines.get(0).interrupted);
        assertTrue(lines.get(1).interrupted);
        lines.get(0).end();
        simulation.runFor(Duration.ofSeconds(1));
        assertTrue(kept.isDone());
        assertFalse(gone.isDone(), "a lost peer gets no answer");
    }

    @Test
    void interruptsAllCommandsWhenItCloses() {
        CompletableFuture<Ended> ended = ask(connect("shell"), "long");
        loop.execute(endpoint::close);
        simulation.runFor(Duration.ofSeconds(1));
        assertTrue(lines.get(0).interrupted);
        assertFalse(ended.isDone());
    }

    private Peer connect(String name) {
        return connect(simulation.process(name));
    }

    private Peer connect(SimulatedProcess process) {
        CompletableFuture<Peer> peer = process.env().connect(ADDRESS).toCompletableFuture();
        simulation.runFor(Duration.ofSeconds(1));
        return peer.join();
    }

    private CompletableFuture<Ended> ask(Peer peer, String line) {
        EndpointRef shell = peer.endpoint(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL);
        CompletableFuture<Ended> ended =
                shell.ask(new Run(line, 80, false, false), Ended.class, TIMEOUT).toCompletableFuture();
        simulation.runFor(Duration.ofSeconds(1));
        return ended;
    }

    private static void assertRefused(String words, CompletableFuture<Ended> asked) {
        CompletionException refusal = assertThrows(CompletionException.class, asked::join);
        assertEquals("TOO_MANY_ASKS", Failures.code(refusal).name());
        assertTrue(Failures.describe(refusal).contains(words), () -> Failures.describe(refusal));
    }

    private Thread thread(Runnable line) {
        HeldLine held = new HeldLine(line);
        lines.add(held);
        return held;
    }

    /** Thread that never starts: the test runs its command on its own thread. */
    private static final class HeldLine extends Thread {
        private final Runnable line;
        private boolean interrupted;

        HeldLine(Runnable line) {
            super("held");
            this.line = line;
        }

        @Override
        public void start() {
            // keeps the command running
        }

        @Override
        public void interrupt() {
            interrupted = true;
        }

        void end() {
            line.run();
        }
    }
}
