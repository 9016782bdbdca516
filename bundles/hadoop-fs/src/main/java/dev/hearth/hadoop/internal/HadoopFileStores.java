package dev.hearth.hadoop.internal;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.StoreContext;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Opens stores over Hadoop's file systems: those of HDFS, and each one whose class is configured as
 * {@code fs.SCHEME.impl} and can be loaded from Hadoop or from the application. Stateless.
 */
@Component(
        service = FileStores.class,
        property = {
            FileStores.SCHEME + "=hdfs",
            FileStores.SCHEME + "=webhdfs",
            FileStores.SCHEME + "=swebhdfs",
            FileStores.SCHEME + "=viewfs",
            FileStores.SCHEME + "=har",
            FileStores.SCHEME + "=" + FileStores.ANY,
            FileStores.HOME + ":Boolean=true"
        })
public final class HadoopFileStores implements FileStores {
    private final HadoopRuntime hadoop;

    @Activate
    public HadoopFileStores(@Reference HadoopRuntime hadoop) {
        this.hadoop = hadoop;
    }

    @Override
    public FileStore open(String scheme, StoreContext context) {
        Configuration configuration = hadoop.configuration(context.settings());
        Optional.ofNullable(Thread.currentThread().getContextClassLoader())
                .ifPresent(application ->
                        configuration.setClassLoader(new TwoClassLoaders(configuration.getClassLoader(), application)));
        try {
            hadoop.call(() -> FileSystem.getFileSystemClass(scheme, configuration));
        } catch (Exception | LinkageError missing) { // the class may be there without those that it needs
            throw ErrorCode.NO_PROVIDER.failure(
                    "file store for scheme '" + scheme + "': " + reason(missing)
                            + " (expected: a scheme of Hadoop, or one whose class hearth.hadoop.fs." + scheme
                            + ".impl names); "
                            + SchemeLibraries.of(scheme)
                                    .map(library -> "add " + library + " to the application by --jars, and set"
                                            + " hearth.application.requires=org.apache.hadoop.*")
                                    .orElse("check the scheme, or add the jar with the class to the application"),
                    missing);
        }
        return new HadoopFileStore(hadoop, scheme, configuration, merged -> hadoop.user(context.settings(), merged));
    }

    /** The message of a linkage error is the name of a class alone. */
    private static String reason(Throwable missing) {
        return missing instanceof LinkageError ? missing.toString() : String.valueOf(missing.getMessage());
    }

    /** The home directory of the user on {@code fs.defaultFS}, unless that is the local file system. */
    @Override
    public Optional<FileName> home(StoreContext context) {
        Configuration configuration = hadoop.configuration(context.settings());
        try {
            return hadoop.call(
                    () -> DefaultFileSystem.home(configuration, hadoop.user(context.settings(), configuration)));
        } catch (Exception failure) {
            throw ErrorCode.BAD_SETTING.failure(
                    "fs.defaultFS: " + failure.getMessage()
                            + " (expected: an address such as hdfs://host:8020, and a user who is logged in); check"
                            + " core-site.xml and hearth.hadoop.fs.defaultFS",
                    failure);
        }
    }
}
