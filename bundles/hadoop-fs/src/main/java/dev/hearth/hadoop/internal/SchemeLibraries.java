package dev.hearth.hadoop.internal;

import java.util.Map;
import java.util.Optional;

/** Libraries with the file systems that Hadoop configures, but does not contain. Stateless. */
final class SchemeLibraries {
    private static final Map<String, String> LIBRARIES = Map.of(
            "s3a", "hadoop-aws and the AWS SDK for Java 2",
            "abfs", "hadoop-azure and what it needs",
            "abfss", "hadoop-azure and what it needs",
            "gs", "hadoop-gcp or gcs-connector",
            "oss", "hadoop-aliyun and what it needs",
            "obs", "hadoop-huaweicloud and what it needs",
            "cosn", "hadoop-cos and what it needs",
            "ofs", "ozone-filesystem-hadoop3",
            "o3fs", "ozone-filesystem-hadoop3");

    private SchemeLibraries() {}

    /** The library that a user adds for the scheme. Empty if Hadoop's configuration does not have it. */
    static Optional<String> of(String scheme) {
        return Optional.ofNullable(LIBRARIES.get(scheme));
    }
}
