package dev.hearth.shell.submit;

import dev.hearth.spi.role.ProcessSignals;
import java.util.Arrays;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Source of the signals that ask this process to end: the operating system, or a test. */
interface EndSignals {
    /** Delivers signals to {@code receiver}, instead of the end of the process, until the result is closed. */
    AutoCloseable receive(Consumer<EndSignal> receiver);

    /** Signals of the operating system. */
    static EndSignals ofProcess() {
        return receiver -> ProcessSignals.receive(
                Arrays.stream(EndSignal.values()).map(EndSignal::name).toList(),
                name -> receiver.accept(EndSignal.valueOf(name)),
                failure -> LoggerFactory.getLogger(EndSignals.class).debug("signal: stays with the JVM", failure));
    }
}
