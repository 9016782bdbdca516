package dev.hearth.hadoopclient.internal;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.util.ConfigUtil;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * Loads the tables that Hadoop keeps in static fields. Hadoop fills each of them once, from the context class loader of
 * its first user; from the loader of an application they would be empty for the rest of the process. Stateless.
 */
final class StaticTables {
    private StaticTables() {}

    /** Registers the files with defaults of all parts of Hadoop, for all configurations. */
    static void loadDefaults() {
        HdfsConfiguration.init();
        ConfigUtil.loadResources();
    }

    /** Loads the tables. Called under the loader of the bundle. */
    static void load(Configuration configuration) throws IOException {
        FileSystem.getFileSystemClass("file", configuration);
        CompressionCodecFactory.getCodecClasses(configuration);
        SecurityUtil.getTokenInfo(StaticTables.class, configuration);
        new Token<TokenIdentifier>().decodeIdentifier();
        CredentialProviderFactory.getProviders(configuration);
        UserGroupInformation.setConfiguration(configuration);
    }
}
