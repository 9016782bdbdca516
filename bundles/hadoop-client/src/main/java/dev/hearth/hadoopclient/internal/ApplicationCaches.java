package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.application.ApplicationEnd;
import org.osgi.service.component.annotations.Component;

/** Releases the classes of applications that end from Hadoop's caches, if Hadoop was used at all. Stateless. */
@Component(service = ApplicationEnd.class)
public final class ApplicationCaches implements ApplicationEnd {
    @Override
    public void ended(ClassLoader application) {
        EmbeddedHadoop.running().ifPresent(hadoop -> CacheRelease.run(application, hadoop));
    }
}
