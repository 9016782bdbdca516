package dev.hearth.hadoopclient.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableFactories;
import org.apache.hadoop.io.WritableName;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the classes of an application that ended from Hadoop's caches, which have no bound in time: its Writables, its
 * file systems, and configurations that load classes by its loader. Stateless.
 */
final class CacheRelease {
    private static final Logger LOG = LoggerFactory.getLogger(CacheRelease.class);

    /** Maps by class: an entry goes with its key. */
    private static final List<StaticField> BY_CLASS = List.of(
            StaticField.of(ReflectionUtils.class, "CONSTRUCTOR_CACHE"),
            StaticField.of(WritableFactories.class, "CLASS_TO_FACTORY"),
            StaticField.of(AbstractFileSystem.class, "CONSTRUCTOR_CACHE"),
            StaticField.of(FileSystem.class, "statisticsTable"),
            StaticField.of(CodecPool.class, "compressorPool"),
            StaticField.of(CodecPool.class, "decompressorPool"));

    private static final StaticField COMPARATORS = StaticField.of(WritableComparator.class, "comparators");
    private static final StaticField COMPARATOR_CONFIGURATION = StaticField.of(WritableComparator.class, "conf");
    private static final StaticField NAMES = StaticField.of(WritableName.class, "CLASS_TO_NAME");
    private static final StaticField CLASSES = StaticField.of(WritableName.class, "NAME_TO_CLASS");
    private static final StaticField SERIALIZERS = StaticField.of(ReflectionUtils.class, "serialFactory");
    private static final StaticField LOGIN = StaticField.of(UserGroupInformation.class, "conf");
    private static final StaticField CACHE = StaticField.of(FileSystem.class, "CACHE");

    private CacheRelease() {}

    /**
     * Closes the file systems that the application has left, and ends the threads of Hadoop that were started in its
     * context. The thread that works for the whole process stays, in the context of Hadoop.
     */
    static void endThreads(ClassLoader application) {
        closeFileSystems(application);
        BundleThreads threads = new BundleThreads(application);
        threads.move(HadoopShutdown.STATISTICS_CLEANER, CacheRelease.class.getClassLoader());
        threads.interruptOf(CacheRelease.class.getClassLoader());
    }

    static void run(ClassLoader application, EmbeddedHadoop hadoop) {
        for (StaticField field : BY_CLASS) {
            remove(field, entry -> isOf(application, entry.getKey()));
        }
        remove(NAMES, entry -> isOf(application, entry.getKey()));
        remove(CLASSES, entry -> isOf(application, entry.getValue()));
        releaseComparators(application);
        releaseSerializers(application);
        releaseLogin(application, hadoop);
        closeFileSystems(application);
    }

    private static void releaseComparators(ClassLoader application) {
        remove(COMPARATORS, entry -> isOf(application, entry.getKey()));
        COMPARATORS.value(Map.class).ifPresent(map -> {
            for (Object comparator : ((Map<?, ?>) map).values()) {
                boolean held = COMPARATOR_CONFIGURATION
                        .value(Configuration.class, comparator)
                        .filter(configuration -> isHeldBy(application, configuration))
                        .isPresent();
                if (held && comparator instanceof Configurable configurable) {
                    configurable.setConf(null); // the next user sets its own
                }
            }
        });
    }

    /** The factory keeps the configuration of its first user, in whatever application that was. */
    private static void releaseSerializers(ClassLoader application) {
        boolean held = SERIALIZERS
                .value(Configured.class)
                .filter(factory -> isHeldBy(application, factory.getConf()))
                .isPresent();
        if (held) {
            SERIALIZERS.clear();
        }
    }

    private static void releaseLogin(ClassLoader application, EmbeddedHadoop hadoop) {
        if (LOGIN.value(Configuration.class)
                .filter(configuration -> isHeldBy(application, configuration))
                .isPresent()) {
            UserGroupInformation.setConfiguration(hadoop.configuration());
        }
    }

    /**
     * Closes the file systems that the application has left in Hadoop's cache, with the connections that hold its
     * configuration.
     */
    private static void closeFileSystems(ClassLoader application) {
        for (FileSystem files : cached()) {
            if (isOf(application, files.getClass()) || isHeldBy(application, files.getConf())) {
                try {
                    files.close();
                } catch (IOException failure) {
                    LOG.warn("file system {}: not closed at the end of its application", files.getUri(), failure);
                }
            }
        }
    }

    private static Collection<FileSystem> cached() {
        List<FileSystem> found = new ArrayList<>();
        CACHE.value(Object.class)
                .flatMap(cache -> StaticField.of(cache.getClass(), "map")
                        .value(Map.class, cache)
                        .map(map -> {
                            synchronized (cache) {
                                return List.copyOf(((Map<?, ?>) map).values());
                            }
                        }))
                .ifPresent(values -> values.forEach(value -> found.add((FileSystem) value)));
        return found;
    }

    /** Removes entries under the monitors of the map and of its class: Hadoop holds one or the other. */
    private static void remove(StaticField field, Predicate<Map.Entry<?, ?>> gone) {
        field.value(Map.class).ifPresent(map -> {
            synchronized (field.owner()) {
                synchronized (map) {
                    ((Map<?, ?>) map).entrySet().removeIf(gone);
                }
            }
        });
    }

    private static boolean isHeldBy(ClassLoader application, @Nullable Configuration configuration) {
        return configuration != null && isBelow(application, configuration.getClassLoader());
    }

    private static boolean isOf(ClassLoader application, @Nullable Object type) {
        return type instanceof Class<?> found && isBelow(application, found.getClassLoader());
    }

    private static boolean isBelow(ClassLoader application, @Nullable ClassLoader loader) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each == application) {
                return true;
            }
        }
        return false;
    }
}
