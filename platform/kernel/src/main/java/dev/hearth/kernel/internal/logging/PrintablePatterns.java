package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.pattern.EnsureExceptionHandling;
import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.pattern.Converter;
import ch.qos.logback.core.pattern.DynamicConverter;
import ch.qos.logback.core.spi.AppenderAttachable;
import dev.hearth.spi.error.PrintableText;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes the text layouts of a process safe: what comes from outside is printed by {@link PrintableText}. Messages,
 * names and values are one line each; a stack trace has several lines, each of which begins with a tab.
 * <p>The words of patterns are replaced in the logging context, so that this holds for the patterns of users, too.
 */
final class PrintablePatterns {
    /** Words of a pattern that show text of an event; {@code PrintablePatternsTest} finds missing ones. */
    private static final List<String> TEXTS = List.of(
            "m",
            "msg",
            "message",
            "t",
            "thread",
            "lo",
            "logger",
            "c",
            "C",
            "class",
            "M",
            "method",
            "F",
            "file",
            "X",
            "mdc",
            "marker",
            "kvp",
            "maskedKvp",
            "property",
            "cn",
            "contextName");

    private static final List<String> THROWABLES =
            List.of("ex", "exception", "throwable", "rEx", "rootException", "xEx", "xException", "xThrowable");

    private PrintablePatterns() {}

    /**
     * Makes all pattern layouts that are created in {@code context} from now on use the converters of this class, in
     * place of those of logback.
     */
    @SuppressWarnings("rawtypes") // as logback declares the map
    static void register(LoggerContext context) {
        Map<String, Supplier<DynamicConverter>> words =
                new HashMap<>(); // a configuration file may add words of its own
        TEXTS.forEach(word -> words.put(word, () -> new Text(original(word))));
        THROWABLES.forEach(word -> words.put(word, () -> new Trace(original(word))));
        context.putObject(CoreConstants.PATTERN_RULE_REGISTRY_FOR_SUPPLIERS, words);
    }

    /**
     * Changes the layouts of a configuration file whose patterns contain no conversion word for exceptions. Logback
     * would append its own conversion of exceptions to such a pattern; this class appends one that prints safely.
     */
    static void completeLayouts(LoggerContext context) {
        context.getLoggerList().forEach(logger -> complete(logger.iteratorForAppenders()));
    }

    private static void complete(Iterator<Appender<ILoggingEvent>> appenders) {
        while (appenders.hasNext()) {
            Appender<ILoggingEvent> appender = appenders.next();
            if (appender instanceof OutputStreamAppender<ILoggingEvent> out
                    && out.getEncoder() instanceof PatternLayoutEncoder encoder
                    && encoder.getLayout() instanceof PatternLayout layout) {
                layout.setPostCompileProcessor(new TracesAtTheEnd());
                layout.start();
            }
            if (appender instanceof AppenderAttachable<?> parent) {
                completeChildren(parent);
            }
        }
    }

    @SuppressWarnings("unchecked") // appenders of a logging context accept logging events
    private static void completeChildren(AppenderAttachable<?> parent) {
        complete(((AppenderAttachable<ILoggingEvent>) parent).iteratorForAppenders());
    }

    @SuppressWarnings("unchecked") // words of the classic layout convert logging events
    private static DynamicConverter<ILoggingEvent> original(String word) {
        return PatternLayout.DEFAULT_CONVERTER_SUPPLIER_MAP.get(word).get();
    }

    /** Converts a text of a log event, such as its message, to printable text in one line. */
    private static final class Text extends ClassicConverter {
        private final DynamicConverter<ILoggingEvent> original;

        Text(DynamicConverter<ILoggingEvent> original) {
            this.original = original;
        }

        @Override
        public void setContext(Context context) {
            super.setContext(context);
            original.setContext(context);
        }

        @Override
        public void start() {
            original.setOptionList(getOptionList());
            original.start();
            super.start();
        }

        @Override
        public String convert(ILoggingEvent event) {
            return PrintableText.line(String.valueOf(original.convert(event))); // null without a context name
        }
    }

    /** Converts the exception of a log event, with its stack trace, to printable text. */
    private static final class Trace extends ThrowableHandlingConverter {
        private final DynamicConverter<ILoggingEvent> original;

        Trace(DynamicConverter<ILoggingEvent> original) {
            this.original = original;
        }

        @Override
        public void setContext(Context context) {
            super.setContext(context);
            original.setContext(context);
        }

        @Override
        public void start() {
            original.setOptionList(getOptionList());
            original.start();
            super.start();
        }

        @Override
        public String convert(ILoggingEvent event) {
            String trace = original.convert(event);
            return trace.isEmpty() ? trace : "\t" + PrintableText.marked(trace);
        }
    }

    /**
     * Appends the exception of an event to the line, for log patterns that contain no conversion word for exceptions.
     */
    private static final class TracesAtTheEnd extends EnsureExceptionHandling {
        @Override
        public void process(Context context, Converter<ILoggingEvent> head) {
            if (chainHandlesThrowable(head)) {
                return;
            }
            Converter<ILoggingEvent> last = head;
            while (last.getNext() != null) {
                last = last.getNext();
            }
            Trace trace = new Trace(new ThrowableProxyConverter());
            trace.setContext(context);
            last.setNext(trace);
        }
    }
}
