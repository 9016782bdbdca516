/**
 * Resolution of packages by Maven's resolver. {@code MavenPackageResolver} first looks for the closure of an equal
 * request, and loads no class of Maven if the files of that closure are unchanged. Otherwise {@code MavenResolution}
 * reads the user's settings, collects the dependencies, and downloads what the local repository lacks.
 */
@NullMarked
package dev.hearth.packages.internal;

import org.jspecify.annotations.NullMarked;
