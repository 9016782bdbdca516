package dev.hearth.shell.gogo;

import java.util.concurrent.CountDownLatch;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Process;

/** The command language without a framework, with a few test commands. */
public final class Language {
    private final CommandProcessorImpl processor = new CommandProcessorImpl(null);
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    Language() {
        for (String function : new String[] {"say", "write", "fail", "await"}) {
            processor.addCommand("test", this, function);
        }
    }

    /** Adds commands of Hearth. */
    void add(Object target, String... functions) {
        for (String function : functions) {
            processor.addCommand("hearth", target, function);
        }
    }

    CommandProcessor processor() {
        return processor;
    }

    /** Returns its argument. */
    public String say(String word) {
        return word;
    }

    /** Writes that many bytes. */
    public void write(int bytes) {
        Process.Utils.current().out().print("x".repeat(bytes));
    }

    public void fail(CommandSession session) {
        throw new IllegalStateException("boom");
    }

    /** Blocks until interrupted. */
    public void await(CommandSession session) throws InterruptedException {
        waiting.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException wanted) {
            interrupted.countDown();
            throw wanted;
        }
    }

    CountDownLatch waiting() {
        return waiting;
    }

    CountDownLatch interrupted() {
        return interrupted;
    }
}
