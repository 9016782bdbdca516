package dev.hearth.hadoopclient.internal;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Hadoop in this process. Starts with the bundle, before an application can use a class of Hadoop, and ends with it.
 * Thread-safe: its fields do not change.
 */
@Component(service = HadoopRuntime.class, immediate = true)
public final class EmbeddedHadoop implements HadoopRuntime {
    private final ClassLoader bundle;
    private final SiteClassLoader classes;
    private final SiteFiles sites;
    private final ConfigurationMerge merge;

    @Activate
    public EmbeddedHadoop(@Reference KernelInfo kernel) {
        this(kernel.settings(), new HadoopEnvironment(System.getenv(), kernel.home()));
    }

    EmbeddedHadoop(Settings settings, HadoopEnvironment environment) {
        this.bundle = EmbeddedHadoop.class.getClassLoader();
        this.sites = SiteFiles.of(environment.directories());
        this.classes = new SiteClassLoader(bundle, sites);
        this.merge = new ConfigurationMerge(environment.variables());
        try {
            call(() -> {
                StaticTables.loadDefaults();
                StaticTables.load(merge.merge(settings, classes));
                return null;
            });
        } catch (Exception failure) {
            throw ErrorCode.START_FAILED.failure(
                    "Hadoop's client: " + failure + " (expected: it starts); check its site files", failure);
        }
    }

    @Deactivate
    void stop() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(bundle);
        try {
            HadoopShutdown.run(bundle);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public Configuration configuration(Settings settings) {
        return merged(settings, classes);
    }

    @Override
    public Configuration configuration(Settings settings, List<Path> directories) {
        return merged(settings, new SiteClassLoader(bundle, SiteFiles.of(directories)));
    }

    private Configuration merged(Settings settings, SiteClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return merge.merge(settings, loader);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public Optional<String> origin(Configuration configuration, String key) {
        SiteFiles files = configuration.getClassLoader() instanceof SiteClassLoader loader ? loader.files() : sites;
        return ConfigurationMerge.origin(configuration, key, files);
    }

    @Override
    public Map<String, Path> siteFiles() {
        return sites.byName();
    }

    @Override
    public Map<String, Path> siteFiles(List<Path> directories) {
        return SiteFiles.of(directories).byName();
    }

    @Override
    public <T> T call(Callable<T> action) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
