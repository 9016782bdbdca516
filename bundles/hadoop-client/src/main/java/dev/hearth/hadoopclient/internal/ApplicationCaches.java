package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.application.ApplicationEnd;

/**
 * Closes the file systems of applications that end, and releases their classes from Hadoop's caches, if Hadoop was used
 * at all. Stateless.
 */
public final class ApplicationCaches implements ApplicationEnd {
    @Override
    public void ending(ClassLoader application) {
        EmbeddedHadoop.running().ifPresent(hadoop -> CacheRelease.endThreads(application));
    }

    @Override
    public void ended(ClassLoader application) {
        EmbeddedHadoop.running().ifPresent(hadoop -> CacheRelease.run(application, hadoop));
    }
}
