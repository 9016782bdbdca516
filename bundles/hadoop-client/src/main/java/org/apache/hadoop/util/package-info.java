/** The class of Hadoop that this bundle has in place of Hadoop's own (ADR 0072). */
package org.apache.hadoop.util;
