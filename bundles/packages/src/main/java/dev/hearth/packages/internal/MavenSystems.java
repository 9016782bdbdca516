package dev.hearth.packages.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.collection.DependencySelector;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicyProvider;
import org.eclipse.aether.spi.connector.transport.TransporterFactory;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.eclipse.aether.supplier.SessionBuilderSupplier;
import org.eclipse.aether.transport.file.FileTransporterFactory;
import org.eclipse.aether.util.graph.selector.AndDependencySelector;

/** Wiring of Maven's resolver: transport of files, and of HTTP by the JDK's client; strict checksums. Used once. */
final class MavenSystems extends RepositorySystemSupplier {
    @Override
    protected Map<String, TransporterFactory> createTransporterFactories() {
        Map<String, TransporterFactory> factories = new LinkedHashMap<>();
        factories.put(FileTransporterFactory.NAME, new FileTransporterFactory());
        factories.put(HttpTransporterFactory.NAME, new HttpTransporterFactory());
        return factories;
    }

    @Override
    protected ChecksumPolicyProvider createChecksumPolicyProvider() {
        return new StrictChecksums();
    }

    /** Defaults of Maven for sessions, with one more rule for dependencies. */
    static final class Sessions extends SessionBuilderSupplier {
        private final DependencySelector rule;

        Sessions(RepositorySystem system, DependencySelector rule) {
            super(system);
            this.rule = rule;
        }

        @Override
        protected DependencySelector getDependencySelector() {
            return AndDependencySelector.newInstance(super.getDependencySelector(), rule);
        }
    }
}
