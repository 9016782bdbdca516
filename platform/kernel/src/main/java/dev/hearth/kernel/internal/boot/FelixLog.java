package dev.hearth.kernel.internal.boot;

import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.slf4j.LoggerFactory;

/**
 * Forwards the messages of Felix, the OSGi framework, to the log of the process. By default Felix writes them to
 * standard output.
 */
final class FelixLog extends org.apache.felix.framework.Logger {
    private final org.slf4j.Logger log = LoggerFactory.getLogger("org.apache.felix.framework");

    @Override
    protected void doLog(
            @Nullable Bundle bundle,
            @SuppressWarnings("rawtypes") @Nullable ServiceReference service,
            int level,
            String message,
            @Nullable Throwable failure) {
        String line = bundle == null ? message : bundle + ": " + message;
        switch (level) {
            case LOG_ERROR -> log.error(line, failure);
            case LOG_WARNING -> log.warn(line, failure);
            case LOG_INFO -> log.info(line, failure);
            default -> log.debug(line, failure);
        }
    }
}
